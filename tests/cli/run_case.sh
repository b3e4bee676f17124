#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs one test of the program in a folder of its own, which is gone afterwards.
#
#   run_case.sh PETAL_BINARY SCRIPT CASE
set -euo pipefail

petal=${1:?usage: run_case.sh PETAL_BINARY SCRIPT CASE}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
configs=$(cd "$here/../../configs" && pwd)
export petal configs
# shellcheck source=/dev/null
source "$here/cli_checks.sh"
# shellcheck source=/dev/null
source "$here/$2"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# A sanitized program has things to say of its own, which do not belong to its standard error.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$folder/asan
"test_$3"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Regenerates the golden op_logs in a folder of its own and compares them byte for byte; every shipped scenario has one.
#
#   compare.sh PETAL_BINARY
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
petal=${1:?usage: compare.sh PETAL_BINARY}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$here/regenerate.sh" "$petal" "$folder"
status=0
for log in "$here"/*.csv "$folder"/*.csv; do
  name=$(basename "$log")
  if ! cmp -s "$here/$name" "$folder/$name"; then
    printf '%s differs; if the model was meant to change, run ./petal regenerate-goldens\n' "$name"
    diff "$here/$name" "$folder/$name" | cut -c -200 | head -8 || true
    status=1
  fi
done
for scenario in "$here"/../../configs/*.yaml; do
  name=$(basename "$scenario" .yaml)
  compgen -G "$here/$name.csv" >/dev/null || compgen -G "$here/$name.*.csv" >/dev/null || {
    printf '%s has no golden op_log; add it to regenerate.sh\n' "$name"
    status=1
  }
done
exit $status

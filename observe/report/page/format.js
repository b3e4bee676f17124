// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people read them. Times are picoseconds.

/** 1234567 is "1,234,567"; with `decimals` so many, rounded. */
function grouped(value, decimals = 0) {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Up to three decimals, without trailing zeros. */
function real(value) {
  return value.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

const TIME_UNITS = [["s", 1e12], ["ms", 1e9], ["us", 1e6], ["ns", 1e3]];

/** In the largest unit that leaves at least 1, with three decimals: "36.914 us". */
function timeText(ps) {
  for (const [unit, scale] of TIME_UNITS)
    if (Math.abs(ps) >= scale) return `${grouped(ps / scale, 3)} ${unit}`;
  return `${grouped(ps)} ps`;
}

/** To the picosecond: "36.914200 us". */
function exactTime(ps) {
  for (const [unit, scale] of TIME_UNITS)
    if (Math.abs(ps) >= scale) return `${grouped(ps / scale, Math.round(Math.log10(scale)))} ${unit}`;
  return `${grouped(ps)} ps`;
}

/** 0.1234 is "12.3 %". */
function percent(share) {
  return `${grouped(100 * share, 1)} %`;
}

/** The shares of `values` in their sum in tenths of a percent, rounded so that they add up to 1000. */
function tenthsOfPercent(values) {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return values.map(() => 0);
  const exact = values.map((value) => (1000 * value) / total);
  const rounded = exact.map(Math.floor);
  const missing = 1000 - rounded.reduce((sum, value) => sum + value, 0);
  const byRemainder = exact.map((_, index) => index).sort((a, b) => (exact[b] % 1) - (exact[a] % 1) || a - b);
  for (const index of byRemainder.slice(0, missing)) rounded[index] += 1;
  return rounded;
}

/** 123 tenths are "12.3 %". */
function tenthsText(tenths) {
  return `${(tenths / 10).toFixed(1)} %`;
}

// SPDX-License-Identifier: Apache-2.0
//
// Puts the page together from the data at its end.

function showHead(report) {
  const kernels = report.runs.map((run) => run.kernel);
  byId("heading").textContent = `${kernels.join(" / ")} on ${report.scenario}`;
  const [{ summary }] = report.runs;
  const tiles = summary.tiles > 0 ? `, ${grouped(summary.tiles)} KV tiles` : "";
  const pes = summary.pes.length === 1 ? "1 PE" : `${grouped(summary.pes.length)} PEs`;
  byId("facts").textContent = kernels.length > 1
    ? `${kernels.length} kernels on ${pes}${tiles}, on one time axis`
    : `${timeText(summary.time_ps)} on ${pes}${tiles}, ${grouped(summary.total.dispatch.commands)} commands`;
  byId("provisional-note").textContent = report.note;
  byId("version").textContent = `petal ${report.version}`;
}

/** Printed pages are light, and show what is folded away. */
function preparePrinting(timeline) {
  const root = document.documentElement;
  const folded = byId("configuration-details");
  let wasOpen = false;
  window.addEventListener("beforeprint", () => {
    root.dataset.print = "";
    wasOpen = folded.open;
    folded.open = true;
    timeline.recolour();
  });
  window.addEventListener("afterprint", () => {
    delete root.dataset.print;
    folded.open = wasOpen;
    timeline.recolour();
  });
}

function start() {
  const report = JSON.parse(byId("report-data").textContent);
  showHead(report);
  showVerdict(report);
  showAttribution(report);
  const timeline = new Timeline(report);
  new TimelineInput(timeline);
  showEngines(report);
  showDispatch(report);
  showHeadWaits(report, (...place) => timeline.show(...place));
  showRoofline(report);
  showConfiguration(report);
  preparePrinting(timeline);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => timeline.recolour());
}

start();

"use strict";
// Everything works without this script; with it, what is shown follows what happens.
(() => {
  const span = (seconds) => {
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return h ? `${h} h ${m} min` : m ? `${m} min ${s} s` : `${s} s`;
  };
  const start = () => {
    const loaded = performance.now();
    return [...document.querySelectorAll("[data-left]")].map((place) => ({ place, left: Number(place.dataset.left), loaded }));
  };
  let clocks = start();
  setInterval(() => {
    for (const { place, left, loaded } of clocks) {
      const seconds = Math.max(0, Math.floor((left - (performance.now() - loaded)) / 1000));
      place.textContent = span(seconds);
    }
  }, 500);

  const refresh = async () => {
    const answer = await fetch(location.href, { cache: "no-store", credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [here, there] = [document.querySelector("main"), page.querySelector("main")];
    // A question that is still open stays as it is: nobody's half-made answer moves.
    if (here.dataset.view === "question" && there.dataset.view === "question") return;
    const focused = document.activeElement && document.activeElement.getAttribute("href");
    here.replaceWith(document.importNode(there, true));
    const form = document.querySelector("form");
    if (form && there.dataset.view !== "question") form.remove();
    if (focused) {
      const again = [...document.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused);
      if (again) again.focus();
    }
    document.title = page.title;
    clocks = start();
  };
  const base = document.querySelector("main").dataset.base;
  if (!base) return;
  let queue = Promise.resolve();
  const events = new EventSource(base + "events");
  events.onmessage = () => { queue = queue.then(refresh).catch(() => {}); };
})();

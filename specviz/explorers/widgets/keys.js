// JupyterLab takes the arrow keys of a notebook to go from cell to cell, menus and buttons included. Inside a view they belong to
// the control that has the focus; all other keys stay JupyterLab's.

const OURS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Enter", " "]);

function render({ el }) {
  el.style.display = "none";
  const decide = (event) => {
    if (!el.closest(".specviz-view")?.contains(event.target)) return;
    const alone = !(event.shiftKey || event.ctrlKey || event.altKey || event.metaKey);
    event.target.toggleAttribute("data-lm-suppress-shortcuts", alone && OURS.has(event.key));
  };
  window.addEventListener("keydown", decide, { capture: true }); // before JupyterLab looks at the key
  return () => window.removeEventListener("keydown", decide, { capture: true });
}

export default { render };

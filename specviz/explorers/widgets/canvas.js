// A PNG on a canvas: drawn in a third of the time that an <img> takes to fetch its new address and to decode what is there.

function render({ model, el }) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.style.cssText = "display: block; max-width: 100%; height: auto";
  el.append(canvas);
  const pen = canvas.getContext("2d");
  let asked = 0, shown = 0;

  const draw = async () => {
    const png = model.get("value"), number = ++asked;
    if (!png?.byteLength) return;
    const width = png.getUint32(16), height = png.getUint32(20); // as its header says: the place is kept from the start
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const bitmap = await createImageBitmap(new Blob([png], { type: "image/png" })).catch(() => null);
    if (!bitmap) return canvas.setAttribute("aria-label", "The picture could not be read.");
    if (number > shown) { // an older one that is ready later stays away
      shown = number;
      pen.drawImage(bitmap, 0, 0);
      canvas.png = png;
      canvas.dataset.frame = number;
    }
    bitmap.close();
  };
  const tell = () => canvas.setAttribute("aria-label", model.get("alt"));

  model.on("change:value", draw);
  model.on("change:alt", tell);
  tell();
  draw();
  return () => { model.off("change:value", draw); model.off("change:alt", tell); };
}

export default { render };

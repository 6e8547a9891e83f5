() => {
  // WCAG 2.2: the contrast ratio of every text with the nearest opaque background behind it.
  const parse = (color) => {
    const parts = color.match(/[\d.]+/g).map(Number);
    return parts.length < 4 ? [...parts, 1] : parts;
  };
  const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = parse(getComputedStyle(element).backgroundColor);
      if (color[3] > 0.5) return color;
    }
    return [255, 255, 255, 1];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!text || element.closest("svg, .skip, script")) continue;
    const shades = [parse(getComputedStyle(element).color), ground(element)].map(light);
    const ratio = (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05);
    if (ratio < 4.5) poor.push(`${element.className || element.tagName}: ${ratio.toFixed(2)}`);
  }
  return poor;
}

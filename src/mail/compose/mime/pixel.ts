/** Returns `html` with the pixel at the end of its body. */
export function withPixel(html: string, url: string): string {
  const pixel = `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`;
  const end = html.toLowerCase().lastIndexOf('</body>');
  return end < 0 ? `${html}${pixel}` : `${html.slice(0, end)}${pixel}${html.slice(end)}`;
}

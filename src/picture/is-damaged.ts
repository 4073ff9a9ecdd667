/** Side length of the copy that is examined, in pixels. */
const SIDE = 64;
/** Maximum number of visible pixels of a blank copy: some remain where the picture is damaged. */
const FEW = 40;

/**
 * Reports whether a loaded picture is invisible because it is damaged: browsers load damaged pictures with a correct
 * header, and draw few of their pixels. A transparent picture has a thumbnail that can be drawn.
 * @param thumbnail its address; null or empty = there is none
 */
export async function isDamaged(image: HTMLImageElement, thumbnail: string | null): Promise<boolean> {
  if (!isBlank(image)) return false;
  if (!thumbnail) return true;
  const drawn = new Image();
  drawn.src = thumbnail;
  return await drawn.decode().then(
    () => false,
    () => true,
  );
}

function isBlank(image: HTMLImageElement): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d');
  if (!context) return false;
  context.drawImage(image, 0, 0, SIDE, SIDE);
  try {
    const { data } = context.getImageData(0, 0, SIDE, SIDE);
    return data.filter((value, index) => index % 4 === 3 && value > 0).length <= FEW;
  } catch {
    // The pixels of a picture from another origin, such as the storage of the server, cannot be read.
    return false;
  }
}

/** Runs as a worker: reads one picture with what the browser has, and answers with it made smaller. */
import { fitInto, isHuge, isWorthIt, LIGHT_BYTES, PREVIEW_SIDE, STEPS, typeOfShrunken } from './picture-sizes.ts'
import type { Shrunken } from './shrink-picture.ts'

self.onmessage = ({ data }: MessageEvent<File>) => {
  void shrink(data)
    .catch((): Shrunken => ({ file: data, preview: null }))
    .then((done) => self.postMessage(done))
}

async function shrink(file: File): Promise<Shrunken> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer())
  const type = isHuge(picture, file.size) ? typeOfShrunken(file.type, head) : null
  const smaller = type && (await drawLight(picture, type))
  // A browser that cannot write the type writes PNG.
  const isBetter = smaller && smaller.type === type && isWorthIt(file.size, smaller.size)
  return { file: isBetter ? smaller : file, preview: await draw(picture, PREVIEW_SIDE, 'image/webp', 0.85) }
}

async function drawLight(picture: ImageBitmap, type: string): Promise<Blob | null> {
  let drawn: Blob | null = null
  for (const { longest, quality } of STEPS) {
    drawn = await draw(picture, longest, type, quality)
    if (drawn.size <= LIGHT_BYTES) break
  }
  return drawn
}

function draw(picture: ImageBitmap, longest: number, type: string, quality: number): Promise<Blob> {
  const { width, height } = fitInto(picture, longest)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return canvas.convertToBlob({ type, quality })
}

import type { ResizedImage } from './image-upload-queue.ts'

const RESIZE_STEPS = [
  { longest: 2560, quality: 0.85 },
  { longest: 2048, quality: 0.8 },
  { longest: 1920, quality: 0.7 },
] as const
const TARGET_BYTES = 600_000
const PREVIEW_SIDE = 480
const MAX_SIZE_RATIO = 0.9

type Size = { width: number; height: number }

export function fitInto({ width, height }: Size, longest: number) {
  const scale = Math.min(1, longest / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

const shouldResize = ({ width, height }: Size, bytes: number) =>
  bytes > TARGET_BYTES || Math.max(width, height) > RESIZE_STEPS[0].longest

/** Returns null for an animated file or a type that browsers cannot encode. [FILES-04] */
export function typeOfResized(type: string, head: Uint8Array) {
  if (type === 'image/jpeg' || type === 'image/heic' || type === 'image/heif') return 'image/jpeg'
  if (type === 'image/png' || type === 'image/webp') return isAnimated(head) ? null : type
  return null
}

const isAnimated = (head: Uint8Array) =>
  /acTL|ANIM/.test(String.fromCharCode(...head.subarray(0, 4096)))

// Node, which runs the tests, has no `self`.
globalThis.onmessage = ({ data }: MessageEvent<File>) => {
  void resize(data)
    .catch((): ResizedImage => ({ file: data, preview: null }))
    .then((resized) => globalThis.postMessage(resized))
}

async function resize(file: File) {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer())
  const type = shouldResize(image, file.size) ? typeOfResized(file.type, head) : null
  const smallFile = type && (await encodeBelowTarget(image, type))
  // A browser returns a PNG if it cannot encode the requested type.
  const isBetter =
    smallFile && smallFile.type === type && smallFile.size < file.size * MAX_SIZE_RATIO
  return {
    file: isBetter ? smallFile : file,
    preview: await draw(image, PREVIEW_SIDE, 'image/webp', 0.85),
  }
}

async function encodeBelowTarget(image: ImageBitmap, type: string) {
  let blob: Blob | null = null
  for (const { longest, quality } of RESIZE_STEPS) {
    blob = await draw(image, longest, type, quality)
    if (blob.size <= TARGET_BYTES) break
  }
  return blob
}

function draw(image: ImageBitmap, longest: number, type: string, quality: number) {
  const { width, height } = fitInto(image, longest)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  return canvas.convertToBlob({ type, quality })
}

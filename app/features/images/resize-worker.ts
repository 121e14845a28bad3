import type { ResizedImage } from './image-upload-queue.ts'

/** The browser tries these steps one after the other until the file is small enough. The first step keeps more pixels than today's largest image variant, for future screens. */
const RESIZE_STEPS = [
  { longest: 2560, quality: 0.85 },
  { longest: 2048, quality: 0.8 },
  { longest: 1920, quality: 0.7 },
] as const
const TARGET_BYTES = 600_000
const PREVIEW_SIDE = 480
/** The browser uploads the resized image only if its size is below this fraction of the original size. */
const MAX_SIZE_RATIO = 0.9

type Size = { width: number; height: number }

export function fitInto({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

const shouldResize = ({ width, height }: Size, bytes: number): boolean =>
  bytes > TARGET_BYTES || Math.max(width, height) > RESIZE_STEPS[0].longest

const savesEnough = (before: number, after: number): boolean => after < before * MAX_SIZE_RATIO

/** Returns the type of the resized image: JPEG for HEIC, and otherwise the same type. Returns null for a file that is animated or whose type browsers cannot encode. [FILES-04] */
export function typeOfResized(
  type: string,
  head: Uint8Array,
): 'image/jpeg' | 'image/png' | 'image/webp' | null {
  if (type === 'image/jpeg' || type === 'image/heic' || type === 'image/heif') return 'image/jpeg'
  if (type === 'image/png' || type === 'image/webp') return isAnimated(head) ? null : type
  return null
}

const isAnimated = (head: Uint8Array): boolean =>
  /acTL|ANIM/.test(String.fromCharCode(...head.subarray(0, 4096)))

// The code uses `globalThis`, because `self` does not exist in Node, which runs the tests.
globalThis.onmessage = ({ data }: MessageEvent<File>) => {
  void resize(data)
    .catch((): ResizedImage => ({ file: data, preview: null }))
    .then((done) => globalThis.postMessage(done))
}

async function resize(file: File): Promise<ResizedImage> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer())
  const type = shouldResize(image, file.size) ? typeOfResized(file.type, head) : null
  const smaller = type && (await encodeBelowTarget(image, type))
  // A browser that cannot encode the requested type encodes PNG instead.
  const isBetter = smaller && smaller.type === type && savesEnough(file.size, smaller.size)
  return {
    file: isBetter ? smaller : file,
    preview: await draw(image, PREVIEW_SIDE, 'image/webp', 0.85),
  }
}

async function encodeBelowTarget(image: ImageBitmap, type: string): Promise<Blob | null> {
  let drawn: Blob | null = null
  for (const { longest, quality } of RESIZE_STEPS) {
    drawn = await draw(image, longest, type, quality)
    if (drawn.size <= TARGET_BYTES) break
  }
  return drawn
}

function draw(image: ImageBitmap, longest: number, type: string, quality: number): Promise<Blob> {
  const { width, height } = fitInto(image, longest)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  return canvas.convertToBlob({ type, quality })
}

import type { ResizedImage } from './image-upload-queue.ts'

/** Tried in order until the image is light. The shop's largest size is 1440 pixels wide; the rest is for larger screens to come. */
const STEPS = [
  { longest: 2560, quality: 0.85 },
  { longest: 2048, quality: 0.8 },
  { longest: 1920, quality: 0.7 },
] as const
const LIGHT_BYTES = 600_000
const PREVIEW_SIDE = 480
/** A smaller gain is not worth another loss of quality. */
const MAX_SHARE = 0.9

type Size = { width: number; height: number }

export function fitInto({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export const isHuge = ({ width, height }: Size, bytes: number): boolean => bytes > LIGHT_BYTES || Math.max(width, height) > STEPS[0].longest

export const isWorthIt = (before: number, after: number): boolean => after < before * MAX_SHARE

/** Its own, so that its extension stays (FILES-04); HEIC becomes JPEG. null: sent untouched, since it may be animated or no browser writes it. */
export function typeOfResized(type: string, head: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | null {
  if (type === 'image/jpeg' || type === 'image/heic' || type === 'image/heif') return 'image/jpeg'
  if (type === 'image/png' || type === 'image/webp') return isAnimated(head) ? null : type
  return null
}

const isAnimated = (head: Uint8Array): boolean => /acTL|ANIM/.test(String.fromCharCode(...head.subarray(0, 4096)))

// Not `self`, which tests in Node do not have.
globalThis.onmessage = ({ data }: MessageEvent<File>) => {
  void resize(data)
    .catch((): ResizedImage => ({ file: data, preview: null }))
    .then((done) => globalThis.postMessage(done))
}

async function resize(file: File): Promise<ResizedImage> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer())
  const type = isHuge(image, file.size) ? typeOfResized(file.type, head) : null
  const smaller = type && (await drawLight(image, type))
  // A browser that cannot write the type writes PNG.
  const isBetter = smaller && smaller.type === type && isWorthIt(file.size, smaller.size)
  return { file: isBetter ? smaller : file, preview: await draw(image, PREVIEW_SIDE, 'image/webp', 0.85) }
}

async function drawLight(image: ImageBitmap, type: string): Promise<Blob | null> {
  let drawn: Blob | null = null
  for (const { longest, quality } of STEPS) {
    drawn = await draw(image, longest, type, quality)
    if (drawn.size <= LIGHT_BYTES) break
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

/** HEIC, the photos of phones: most builds of the picture library cannot read its codec, so libheif as WebAssembly does. */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { openSharp } from './resize.server.ts'

/** What the largest phone cameras make of it, 48 megapixels; as plain colours that is 200 MB, for a second. */
export const MOST_HEIC_PIXELS = 50_000_000
/** Milliseconds; twelve megapixels take about two seconds. */
const PATIENCE = 30_000
const worker = createRequire(import.meta.url).resolve('#app/platform/heic-worker.ts')

type Colors = { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }

/** A JPEG with the same colour profile, turned upright; null where the photo cannot be read here. */
export async function heicAsJpeg(bytes: Uint8Array, profile: Uint8Array | undefined, patience = PATIENCE): Promise<Uint8Array | null> {
  const colors = await decodeInThread(bytes, patience).catch(() => null)
  if (!colors) return null
  const { width, height, data } = colors
  const sharp = await openSharp()
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return profile && profile.length < 65_000 ? withProfile(jpeg, profile) : jpeg
}

async function decodeInThread(bytes: Uint8Array, patience: number): Promise<Colors> {
  const thread = new Worker(worker, { workerData: { bytes, mostPixels: MOST_HEIC_PIXELS }, execArgv: [], stdout: true, stderr: true })
  let clock: NodeJS.Timeout | undefined
  try {
    return await new Promise<Colors>((done, fail) => {
      clock = setTimeout(() => fail(new Error('the photo takes too long')), patience)
      thread.once('message', done)
      thread.once('error', fail)
      thread.once('exit', () => fail(new Error('the decoder ended')))
    })
  } finally {
    clearTimeout(clock)
    // Its memory goes with it, whatever came of it.
    await thread.terminate()
  }
}

/** The profile as JPEG's second application segment, where the picture library finds it and turns the colours into sRGB. */
function withProfile(jpeg: Uint8Array, profile: Uint8Array): Uint8Array {
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1')
  head.writeUInt16BE(head.length - 2 + profile.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)])
}

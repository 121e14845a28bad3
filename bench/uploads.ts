/** The owner sends photos: how soon one is seen, and what visitors feel of twenty. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import sharp from 'sharp'
import { signIn, type Customer } from './customer.ts'
import { OWNER, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const PHOTOS = 20
/** Visitors who read on, each the next page once the last has come. */
const VISITORS = 4
const MOST_WAIT = 120_000

/** Twelve megapixels of a phone, about six megabytes. */
async function drawPhoto(): Promise<Buffer> {
  const blur = sharp({
    create: { width: 4032, height: 3024, channels: 3, background: 'gray', noise: { type: 'gaussian', mean: 128, sigma: 52 } },
  }).blur(0.9)
  for (let quality = 96; quality >= 60; quality -= 4) {
    const photo = await blur.clone().jpeg({ quality }).toBuffer()
    if (photo.length < 7_000_000) return photo
  }
  throw new Error('the photo is too large')
}

async function upload(owner: Customer, photo: Buffer): Promise<string> {
  const body = new FormData()
  body.set('categoryId', 'wall-hangings')
  body.set('file', new File([new Uint8Array(photo)], 'photo.jpg', { type: 'image/jpeg' }))
  const sent = await fetch(`${owner.origin}/manage/item-picture`, {
    method: 'POST',
    body,
    headers: { origin: owner.origin, cookie: owner.cookie },
  })
  // Many large ones at once are told to come back, and do, as the shop's own form does (047).
  if (sent.status === 503) {
    await pause(Number(sent.headers.get('retry-after')) * 1000)
    return upload(owner, photo)
  }
  const { url } = (await sent.json()) as { url?: string }
  if (!url) throw new Error(`the upload was answered with ${sent.status}`)
  const seen = await fetch(owner.origin + url)
  if (!seen.ok || (await seen.arrayBuffer()).byteLength === 0) throw new Error('the picture is not there')
  return owner.origin + url
}

/** The widest is made last. Who looks seldom disturbs little: `pace`, milliseconds. */
async function allWidths(url: string, pace: number): Promise<void> {
  const last = url.replace('.jpg', '.1440.webp')
  for (let waited = 0; waited < MOST_WAIT; waited += pace) {
    if ((await fetch(last)).ok) return
    await pause(pace)
  }
  throw new Error('the widths were not made')
}

/** p99 of the gallery while `work` lasts, milliseconds. */
async function feltDuring(origin: string, work: Promise<unknown>): Promise<number> {
  const visitors = autocannon({
    url: `${origin}/gallery/`,
    connections: VISITORS,
    duration: MOST_WAIT / 1000,
    headers: { accept: 'text/html' },
  })
  const [result] = await Promise.all([visitors, work.finally(() => visitors.stop())])
  if (result.non2xx + result.errors > 0) throw new Error('a page of the gallery was none')
  return result.latency.p99
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

export async function measureUploads({ folder, demoShop, say }: Bench): Promise<WorkFigure[]> {
  say('uploads: one photo, then twenty at once')
  const dataDir = join(folder, 'uploads')
  await cp(demoShop, dataDir, { recursive: true })
  const [shop, photo] = [await serveShop(dataDir), await drawPhoto()]
  try {
    const owner = await signIn(shop.origin, OWNER)
    await allWidths(await upload(owner, photo), 20)
    const begun = performance.now()
    const url = await upload(owner, photo)
    const visible = performance.now() - begun
    await allWidths(url, 20)
    const whole = performance.now() - begun
    const decoding = performance.now()
    await sharp(photo).autoOrient().jpeg({ quality: 85 }).toBuffer()
    const alone = performance.now() - decoding

    const idle = await feltDuring(shop.origin, pause(5000))
    const crowd = performance.now()
    let stored = 0
    const busy = await feltDuring(
      shop.origin,
      Promise.all(Array.from({ length: PHOTOS }, () => upload(owner, photo))).then((urls) => {
        stored = performance.now() - crowd
        return Promise.all(urls.map((each) => allWidths(each, 1000)))
      }),
    )
    const size = `${(photo.length / 1e6).toFixed(1)} MB`
    return [
      {
        what: `A photo of ${size}, from sending to seen`,
        found: seconds(visible),
        beside: `writing it anew alone, ${seconds(alone)}`,
        ratio: (visible / alone).toFixed(1),
      },
      {
        what: 'The same, until all widths are made',
        found: seconds(whole),
        beside: `seen, ${seconds(visible)}`,
        ratio: (whole / visible).toFixed(1),
      },
      {
        what: `${PHOTOS} such photos at once, until the last is stored`,
        found: seconds(stored),
        beside: `one, ${seconds(visible)}`,
        ratio: (stored / visible).toFixed(1),
      },
      {
        what: '/gallery/ meanwhile and until all widths are made, p99',
        found: `${busy} ms`,
        beside: `idle, ${idle} ms`,
        ratio: (busy / Math.max(1, idle)).toFixed(1),
      },
    ]
  } finally {
    await shop.stop()
  }
}

// From layers to a file: paints the backdrop, casts each layer's shadow, lays it down, and encodes the result.
import sharp from 'sharp'
import { backdropPixels, type Backdrop } from './backdrop.ts'
import { canvas, lay, type Canvas } from './canvas.ts'
import { alphaMask, cast, shapeMask } from './shadow.ts'
import type { Camera, Layer } from './shape.ts'

export type Picture = { width: number; height: number; backdrop: Backdrop; camera: Camera; layers: Layer[] }

let spare: WeakRef<Canvas> | undefined

// The working arrays of a canvas are large; pictures of one size use the same, as painting never waits while it holds them.
// Held weakly: drawing happens when a demo shop is set up, and the server that runs on should have the memory back.
function freshCanvas(width: number, height: number, pixels: Uint8ClampedArray): Canvas {
  const known = spare?.deref()
  if (known && known.width === width && known.height === height) {
    known.stamp.fill(0)
    return Object.assign(known, { pixels, strokes: 0 })
  }
  const made = canvas(width, height, pixels)
  spare = new WeakRef(made)
  return made
}

function cameraTransform(camera: Camera, width: number, height: number): string {
  const turn = (camera.turn * 180) / Math.PI
  return `translate(${width / 2} ${height / 2}) rotate(${turn}) scale(${camera.scale}) translate(${-camera.x} ${-camera.y})`
}

async function svgPixels(markup: string, picture: Picture, isFixed: boolean): Promise<Uint8Array> {
  const { width, height, camera } = picture
  const inner = isFixed ? markup : `<g transform="${cameraTransform(camera, width, height)}">${markup}</g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`
  return sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer()
}

function laySvg(target: Canvas, rgba: Uint8Array): void {
  const { pixels } = target
  for (let i = 0, size = target.width * target.height; i < size; i++) {
    const alpha = rgba[i * 4 + 3]!
    if (alpha === 0) continue
    const share = alpha / 255
    for (let c = 0; c < 3; c++) pixels[i * 3 + c] = pixels[i * 3 + c]! + (rgba[i * 4 + c]! - pixels[i * 3 + c]!) * share
  }
}

/** The same picture, at most so many pixels wide. */
function atMost(picture: Picture, widest: number): Picture {
  const share = Math.min(1, widest / picture.width)
  if (share === 1) return picture
  const { width, height, camera, layers } = picture
  return {
    ...picture,
    width: Math.round(width * share),
    height: Math.round(height * share),
    camera: { ...camera, scale: camera.scale * share },
    layers: layers.map((layer) =>
      layer.kind === 'svg' && layer.isFixed ? { ...layer, markup: `<g transform="scale(${share})">${layer.markup}</g>` } : layer,
    ),
  }
}

/** `widest` in pixels; null: in its own size. */
export async function paint(whole: Picture, widest: number | null = null): Promise<Buffer> {
  const picture = widest === null ? whole : atMost(whole, widest)
  const { width, height, camera, layers } = picture
  const drawn = await Promise.all(
    layers.map((layer) => (layer.kind === 'svg' ? svgPixels(layer.markup, picture, layer.isFixed) : undefined)),
  )
  const target = freshCanvas(width, height, backdropPixels(picture.backdrop, width, height))
  layers.forEach((layer, index) => {
    const rgba = drawn[index]
    if (rgba) {
      if (layer.lift > 0) cast(target, alphaMask(target, rgba), layer.lift * camera.scale)
      laySvg(target, rgba)
    } else if (layer.kind === 'shapes') {
      if (layer.lift > 0) cast(target, shapeMask(target, layer.shapes, camera), layer.lift * camera.scale)
      lay(target, layer.shapes, camera)
    }
  })
  return sharp(target.pixels, { raw: { width, height, channels: 3 } })
    .webp({ quality: 90, effort: 2 })
    .toBuffer()
}

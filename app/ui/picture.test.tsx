import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Picture, smallestUrl, type PictureView } from './picture.tsx'

const waiting: PictureView = { url: '/pictures/items/a.jpg', width: 4000, height: 3000, widths: [], hasAvif: false, placeholder: 'data:,' }
const draw = (picture: PictureView) => renderToStaticMarkup(<Picture picture={picture} alt="Moon" sizes="5rem" />)

test('a picture whose widths are not made yet is shown as its original, at its size', () => {
  expect(draw(waiting)).toMatch(/^<picture><img [^>]*src="\/pictures\/items\/a\.jpg"[^>]* width="4000" height="3000" alt="Moon"/)
  expect(draw(waiting)).not.toMatch(/srcset|<source/i)
  expect(smallestUrl(waiting)).toBe('/pictures/items/a.jpg')
})

test('one from before AVIF offers its WebP, a finished one AVIF first and WebP for the others', () => {
  const old = { ...waiting, widths: [240, 480, 960] }
  expect(draw(old)).toContain('src="/pictures/items/a.480.webp"')
  expect(draw(old)).toContain('srcSet="/pictures/items/a.240.webp 240w, /pictures/items/a.480.webp 480w, /pictures/items/a.960.webp 960w"')
  expect(draw(old)).not.toContain('avif')
  expect(draw({ ...old, hasAvif: true })).toMatch(
    /^<picture><source type="image\/avif" srcSet="\/pictures\/items\/a\.240\.avif 240w, [^"]+ 960w" sizes="5rem"\/><img [^>]*a\.480\.webp/,
  )
  expect(smallestUrl(old)).toBe('/pictures/items/a.240.webp')
})

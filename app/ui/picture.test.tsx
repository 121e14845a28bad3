import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { smallestUrl } from './picture-url.ts'
import { Picture, type PictureView } from './picture.tsx'

const waiting: PictureView = {
  url: '/pictures/items/a.jpg',
  width: 4000,
  height: 3000,
  widths: [],
  placeholder: 'data:,',
}
const draw = (picture: PictureView) =>
  renderToStaticMarkup(
    <Picture
      picture={picture}
      alt="Moon"
      sizes="5rem"
    />,
  )

test('shows the original file of an image until the shop has created the variants of the image', () => {
  expect(draw(waiting)).toMatch(
    /^<picture><img [^>]*src="\/pictures\/items\/a\.jpg"[^>]* width="4000" height="3000" alt="Moon"/,
  )
  expect(draw(waiting)).not.toMatch(/srcset|<source/i)
  expect(smallestUrl(waiting)).toBe('/pictures/items/a.jpg')
})

test('offers an image as AVIF, and as WebP to browsers that cannot show AVIF', () => {
  const finished = { ...waiting, widths: [240, 480, 960] }
  expect(draw(finished)).toMatch(
    /^<picture><source type="image\/avif" srcSet="\/pictures\/items\/a\.240\.avif 240w, [^"]+ 960w" sizes="5rem"\/><img [^>]*a\.480\.webp/,
  )
  expect(smallestUrl(finished)).toBe('/pictures/items/a.240.webp')
})

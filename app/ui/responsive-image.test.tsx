import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { smallestUrl } from './image-url.ts'
import { ResponsiveImage, type ImageView } from './responsive-image.tsx'

const waiting: ImageView = {
  url: '/pictures/items/a.jpg',
  width: 4000,
  height: 3000,
  widths: [],
  placeholder: 'data:,',
}
function draw(view: ImageView) {
  const html = renderToStaticMarkup(
    <ResponsiveImage
      image={view}
      alt="Moon"
      sizes="5rem"
    />,
  )
  const image = pageOf(html).getByRole('img', { name: 'Moon' })
  return { image, source: image.closest('picture')!.querySelector('source') }
}

test('shows the original file of an image until the shop has created the variants of the image', () => {
  const { image, source } = draw(waiting)
  expect(image.getAttribute('src')).toBe('/pictures/items/a.jpg')
  expect(image.getAttribute('width')).toBe('4000')
  expect(image.getAttribute('height')).toBe('3000')
  expect(image.hasAttribute('srcset')).toBe(false)
  expect(source).toBeNull()
  expect(smallestUrl(waiting)).toBe('/pictures/items/a.jpg')
})

test('offers an image as AVIF, and as WebP to browsers that cannot show AVIF', () => {
  const finished = { ...waiting, widths: [240, 480, 960] }
  const { image, source } = draw(finished)
  expect(source!.getAttribute('type')).toBe('image/avif')
  expect(source!.getAttribute('srcset')).toMatch(/^\/pictures\/items\/a\.240\.avif 240w, .* 960w$/)
  expect(source!.getAttribute('sizes')).toBe('5rem')
  expect(image.getAttribute('src')).toBe('/pictures/items/a.480.webp')
  expect(smallestUrl(finished)).toBe('/pictures/items/a.240.webp')
})

import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { OrderRequestBox } from './order-request-box.tsx'

const hint = 'Please include where you want to be contacted back (eg. phone, email, or in app)'

function show(viewer: 'visitor' | 'guest' | 'customer' | 'admin') {
  const Page = createRoutesStub([{ path: '/item/moon', Component: () => <OrderRequestBox itemId="moon" viewer={viewer} /> }])
  return renderToStaticMarkup(<Page initialEntries={['/item/moon']} />)
}

test.for(['customer', 'guest'] as const)(
  'ITEM-18 ITEM-20 a %s writes in the box and sends it with the item, without script too',
  (viewer) => {
    const html = show(viewer)
    expect(html).toContain(hint)
    expect(html).toMatch(/<form[^>]*action="\/order-request"/)
    expect(html).toContain('name="back" value="/item/moon"')
    expect(html).toContain('name="itemId" value="moon"')
    expect(html).toMatch(/<button[^>]*>Submit<\/button>/)
    expect(html).not.toMatch(/<textarea[^>]*disabled/)
  },
)

test('ITEM-19 a visitor sees "Please Login to Order", which leads there', () => {
  const html = show('visitor')
  expect(html).toMatch(/<a[^>]*href="\/login\/"[^>]*>Please Login to Order<\/a>/)
  expect(html).not.toContain('Submit')
  expect(html).toContain(hint)
})

test('S-072 the owner cannot use the box', () => {
  const html = show('admin')
  expect(html).toMatch(/<textarea[^>]*disabled/)
  expect(html).not.toContain('Submit')
})

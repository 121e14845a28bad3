import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { Asked } from './order.ts'
import { OrderRequestBox } from './order-request-box.tsx'

const hint = 'Please include where you want to be contacted back (eg. phone, email, or in app)'

function show(viewer: 'visitor' | 'guest' | 'customer' | 'admin', asked: Asked = 'new') {
  const userId = viewer === 'visitor' ? null : 'ann'
  const Component = () => <OrderRequestBox itemId="moon" viewer={viewer} userId={userId} asked={asked} />
  const Page = createRoutesStub([{ path: '/item/moon', Component }])
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
    expect(html).toMatch(/<textarea[^>]*name="message"/)
    expect(html).not.toMatch(/<textarea[^>]*(disabled|readonly)/i)
    expect(html).not.toContain('Please Login to Order')
  },
)

test('ITEM-19 a visitor sees "Please Login to Order", which leads there', () => {
  const html = show('visitor')
  expect(html).toMatch(/<a[^>]*href="\/login\/"[^>]*>Please Login to Order<\/a>/)
  expect(html).not.toContain('Submit')
  expect(html).not.toContain('<textarea')
  expect(html).toContain(hint)
})

test('ITEM-20 S-072 the owner reads the hint, cannot use the box, and finds the way to edit the item', () => {
  const html = show('admin')
  expect(html).toContain(hint)
  expect(html).not.toMatch(/<textarea|<button/)
  expect(html).toContain('href="/manage/item/moon"')
})

test('S-069 whose order is closed reads that a request opens it again; whose order holds the item reads that', () => {
  expect(show('customer')).not.toContain('see your messages')
  expect(show('customer', 'closed')).toContain('Your last order is closed. A new request opens it again')
  expect(show('guest', 'asked')).toContain('This piece is in your order')
  expect(show('guest', 'asked')).toContain('href="/item/moon?messages="')
})

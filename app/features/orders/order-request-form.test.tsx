import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { RequestState } from './order.ts'
import { OrderRequestForm } from './order-request-form.tsx'

const hint = 'Please include where you want to be contacted back (eg. phone, email, or in app)'

function show(viewer: 'visitor' | 'guest' | 'customer' | 'admin', asked: RequestState = 'new') {
  const userId = viewer === 'visitor' ? null : 'ann'
  const page = {
    itemId: 'moon',
    colors: [{ id: 'sage', name: 'Sage_Green' }],
    colorId: 'sage',
    asksName: viewer === 'guest',
  }
  const Component = () => (
    <OrderRequestForm
      {...page}
      viewer={viewer}
      userId={userId}
      requestState={asked}
    />
  )
  const Page = createRoutesStub([{ path: '/item/moon', Component }])
  return renderToStaticMarkup(<Page initialEntries={['/item/moon']} />)
}

test.for(['customer', 'guest'] as const)(
  'a %s sees a form that sends an order request for the item, also without JavaScript [ITEM-18, ITEM-20]',
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

test('instead of the order request form, a visitor sees a login link that leads back to the selected color [ITEM-19, OWN-75]', () => {
  const html = show('visitor')
  expect(html).toMatch(
    /<a[^>]*href="\/login\/\?from=%2Fitem%2Fmoon%3Fcolor%3Dsage&amp;order"[^>]*>Please Login to Order<\/a>/,
  )
  expect(html).not.toContain('Submit')
  expect(html).not.toContain('<textarea')
  expect(html).toContain(hint)
})

test('the owner sees a hint and a link to edit the item, but no order request form [ITEM-20, S-072]', () => {
  const html = show('admin')
  expect(html).toContain(hint)
  expect(html).not.toMatch(/<textarea|<button/)
  expect(html).toContain('href="/manage/item/moon"')
})

test('a customer sees whether her order is closed, and whether it contains the item [S-069]', () => {
  expect(show('customer')).not.toContain('see your messages')
  expect(show('customer', 'closed')).toContain(
    'Your last order is closed. A new request opens it again',
  )
  expect(show('guest', 'asked')).toContain('This piece is in your order')
  expect(show('guest', 'asked')).toContain('href="/item/moon?messages="')
})

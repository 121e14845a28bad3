import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import type { Role } from '#services/context.ts'
import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import type { RequestState } from './order-request.server.ts'
import { ColorChange } from './color-change.tsx'
import { OrderRequestForm } from './order-request-form.tsx'
import { requestTexts } from './texts.ts'

const hint = 'Please include where you want to be contacted back (eg. phone, email, or in app)'

type Shown = { away?: string }

function show(viewer: 'visitor' | Role, asked: RequestState = 'new', shown: Shown = {}) {
  const userId = viewer === 'visitor' ? null : 'ann'
  const page = {
    item: {
      id: 'moon',
      name: 'Moon wall',
      kind: '' as const,
      images: [],
      priceCents: 8900,
      discount: null,
    },
    linkedColorId: null,
    steps: ['Ask for the piece.', 'You decide.'],
    away: shown.away ?? '',
    colors: [{ id: 'sage', name: 'Sage_Green' }],
    colorId: 'sage',
    asksName: viewer === 'guest',
    requestedColor: '',
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
  return pageOf(renderToStaticMarkup(<Page initialEntries={['/item/moon']} />))
}

test.for(['customer', 'guest'] as const)(
  'a %s sees a form that sends an order request for the item, also without JavaScript [ITEM-18, ITEM-20]',
  (viewer) => {
    const page = show(viewer)
    expect(page.getByText(hint)).toBeTruthy()
    const form = page.getByRole('button', { name: 'Submit' }).closest('form')!
    expect(form.getAttribute('action')).toBe('/order-request')
    const valueOf = (name: string) => form.querySelector(`[name="${name}"]`)!.getAttribute('value')
    expect(valueOf('back')).toBe('/item/moon')
    expect(valueOf('itemId')).toBe('moon')
    const message = page.getByLabelText<HTMLTextAreaElement>(requestTexts.message)
    expect(message.name).toBe('message')
    expect(message.disabled).toBe(false)
    expect(message.readOnly).toBe(false)
    expect(page.queryByText('Please Login to Order')).toBeNull()
  },
)

test('instead of the order request form, a visitor sees a login link that leads back to the selected color [ITEM-19, OWN-75]', () => {
  const page = show('visitor')
  const link = page.getByRole('link', { name: 'Please Login to Order' })
  expect(link.getAttribute('href')).toBe('/login/?from=%2Fitem%2Fmoon%3Fcolor%3Dsage&order')
  expect(page.queryByRole('button')).toBeNull()
  expect(page.queryByRole('textbox')).toBeNull()
  expect(page.getByText(hint)).toBeTruthy()
})

test('the owner sees a hint and a link to edit the item, but no order request form [ITEM-20, S-072]', () => {
  const page = show('owner')
  expect(page.getByText(hint)).toBeTruthy()
  expect(page.queryByRole('textbox')).toBeNull()
  expect(page.queryByRole('button')).toBeNull()
  expect(page.getByRole('link').getAttribute('href')).toBe('/manage/item/moon')
})

test('the form says until when the owner is away [AGREE-144]', () => {
  const away = 'Mira is away until March 06, 2026.'
  expect(show('customer', 'new', { away }).getByText(away)).toBeTruthy()
})

test('a customer sees whether her order is closed, and whether it contains the item [S-069]', () => {
  expect(show('customer').queryByRole('link')).toBeNull()
  expect(
    show('customer', 'closed').getByText(
      /Your last order is closed\. A new request opens it again/,
    ),
  ).toBeTruthy()
  const asked = show('guest', 'asked')
  expect(asked.getByText(/This piece is in your order/)).toBeTruthy()
  const link = asked.getByRole('link', { name: 'your conversation' })
  expect(link.getAttribute('href')).toBe('/item/moon?messages=')
})

test('before a request in another color, the form names both colors and offers one of each, except for a one-of-a-kind piece [AGREE-140]', () => {
  const change = 'This changes the color of your request from Deep Rust to Sage Green'
  const asked = (requestedColor: string, isUnique = false) =>
    pageOf(
      renderToStaticMarkup(
        <ColorChange
          colors={[{ id: 'sage', name: 'Sage_Green' }]}
          colorId="sage"
          isUnique={isUnique}
          requestedColor={requestedColor}
        />,
      ),
    )
  const choice = asked('Deep Rust')
  expect(choice.getByLabelText<HTMLInputElement>(change).checked).toBe(true)
  expect(choice.getByLabelText<HTMLInputElement>('I want one of each').value).toBe('both')

  const unique = asked('Deep Rust', true)
  expect(unique.getByText(change)).toBeTruthy()
  expect(unique.queryByRole('radio')).toBeNull()
  expect(asked('Sage Green').queryByText(/This changes the color/)).toBeNull()
})

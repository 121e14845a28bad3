import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import { Today } from './market-page.tsx'

const sale = (id: string, name: string, cents: number) => ({
  ...{ id, name, cents, itemId: '', method: 'cash' as const, at: 0 },
})

const undo = {
  cents: 350,
  invoice: null,
  piece: 'for-sale' as const,
  paidCents: 0,
  creditCents: 0,
}

test('the market-stall page marks today’s unsent sales, shows why the shop refused one, and asks before it removes or undoes one [AGREE-74, AGREE-77, AGREE-78, AGREE-135]', () => {
  const sales = {
    unsent: [sale('a', 'Owl', 2500), { ...sale('b', 'Moon', 8900), error: 'No such piece.' }],
    sold: [{ ...sale('c', 'Star', 350), undo }, sale('d', 'Canceled', -350)],
    total: 11_400,
    onUndone: () => {},
  }
  const Page = createRoutesStub([{ path: '/', Component: () => <Today {...sales} /> }])
  const today = within(
    pageOf(renderToStaticMarkup(<Page initialEntries={['/']} />)).getByRole('region', {
      name: 'Today',
    }),
  )
  const [owl, moon, star, canceled] = today.getAllByRole('listitem').map((row) => within(row))
  for (const row of [owl!, moon!]) expect(row.getByText('Not sent yet')).toBeTruthy()
  expect(star!.queryByText('Not sent yet')).toBeNull()
  expect(star!.getByText('$3.50')).toBeTruthy()
  expect(moon!.getByText('No such piece.')).toBeTruthy()
  expect(owl!.queryByText('No such piece.')).toBeNull()

  expect(owl!.getByRole('button', { name: 'Remove the sale of Owl' })).toBeTruthy()
  const dialog = owl!.getByRole('dialog', { hidden: true })
  expect(dialog.textContent).toContain('Remove the sale of Owl? It was not sent to the shop.')
  expect(star!.queryByRole('button', { name: /Remove/ })).toBeNull()
  expect(star!.getByRole('button', { name: 'Undo the sale of Star' }).textContent).toBe('Undo')
  expect(star!.getByRole('dialog', { hidden: true }).textContent).toContain(
    'Undo the sale of Star for $3.50? The piece is for sale again.',
  )
  expect(canceled!.queryByRole('button')).toBeNull()
  expect(today.getByText('$114.00')).toBeTruthy()
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { formOf } from '#test/fixtures/html.ts'
import { type ActionTable, confirmed, formAction, handleForm } from './form-actions.server.ts'

type Result = { ok: true; price: number } | { ok: false; refusal: 'sold' }
type Context = { result: Result }

const buy = formAction({
  schema: z.object({ itemId: z.string().min(1, 'Choose a piece.') }),
  run: async ({ result }: Context, _fields): Promise<Result> => result,
  success: ({ price }) => `Bought for ${price}`,
  refusals: { sold: { status: 409, field: 'itemId', error: 'It is sold.' } },
})
const table: ActionTable<Context> = { buy, give: confirmed(buy) }
const handle = (fields: Record<string, string>, result: Result = { ok: true, price: 7 }) =>
  handleForm(table, { result }, formOf(fields))

test('a form with a known intent runs its use case, and the answer contains the text for success', async () => {
  const outcome = await handle({ intent: 'buy', itemId: 'a' })
  expect(outcome).toEqual({ answer: { ok: true, toasts: ['Bought for 7'] }, status: 200 })
})

test('a form without a known intent is refused', async () => {
  expect((await handle({ intent: 'toString' })).status).toBe(400)
  expect((await handle({})).status).toBe(400)
})

test('the answer names the field that the schema refuses', async () => {
  const { answer, status } = await handle({ intent: 'buy', itemId: '' })
  expect({ ...answer, status }).toMatchObject({
    ok: false,
    status: 422,
    field: 'itemId',
    error: 'Choose a piece.',
  })
})

test('if the use case refuses, the answer has the status, field and text that the table of refusals gives', async () => {
  const outcome = await handle({ intent: 'buy', itemId: 'a' }, { ok: false, refusal: 'sold' })
  expect(outcome).toEqual({
    answer: { ok: false, field: 'itemId', error: 'It is sold.' },
    status: 409,
  })
})

test('a form that must be confirmed runs only with the answer "Yes"', async () => {
  expect((await handle({ intent: 'give', itemId: 'a' })).status).toBe(400)
  expect((await handle({ intent: 'give', itemId: 'a', confirm: 'Yes' })).status).toBe(200)
})

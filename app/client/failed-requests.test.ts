import { expect, test } from 'vitest'
import { NotSent } from '#app/ui/answer.ts'
import { keepPage } from './failed-requests.ts'

test('a form that fails twice is told twice: each failure is an answer of its own', async () => {
  const fail = async () => {
    const request = new Request('http://shop.test/manage/category.data', { method: 'POST' })
    const next = async () => ({ category: { type: 'error' as const, result: new TypeError('Failed to fetch') } })
    const results = (await keepPage({ request } as never, next)) as unknown as Record<string, { result: { data: unknown } }>
    return results.category!.result.data
  }
  const [first, second] = [await fail(), await fail()]
  for (const answer of [first, second]) expect(answer).toBeInstanceOf(NotSent)
  expect(first).not.toBe(second)
})

import { expect, test } from 'vitest'
import { SubmissionFailed } from '#app/ui/action-result.ts'
import { keepPage } from './failed-requests.ts'

test('every failed form submission gets a new result object, even after an earlier failure', async () => {
  const fail = async () => {
    const request = new Request('http://shop.test/manage/category.data', { method: 'POST' })
    const next = async () => ({ category: { type: 'error' as const, result: new TypeError('Failed to fetch') } })
    const results = (await keepPage({ request } as never, next)) as unknown as Record<string, { result: { data: unknown } }>
    return results.category!.result.data
  }
  const [first, second] = [await fail(), await fail()]
  for (const answer of [first, second]) expect(answer).toBeInstanceOf(SubmissionFailed)
  expect(first).not.toBe(second)
})

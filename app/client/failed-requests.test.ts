import { expect, test } from 'vitest'
import { SubmissionFailed, SubmissionUnsent } from '../ui/action-result.ts'
import { keepPage } from './failed-requests.ts'

test('every failed form submission gets a new result object, which says whether the form reached the shop [S-476]', async () => {
  const fail = async (result: Error) => {
    const request = new Request('http://shop.test/manage/category.data', { method: 'POST' })
    const next = async () => ({ category: { type: 'error' as const, result } })
    const results = (await keepPage({ request } as never, next)) as unknown as Record<
      string,
      { result: { data: unknown } }
    >
    return results.category!.result.data
  }
  const [first, second, third] = [
    await fail(new TypeError('Failed to fetch')),
    await fail(new TypeError()),
    await fail(new Error('500')),
  ]
  for (const answer of [first, second]) expect(answer).toBeInstanceOf(SubmissionUnsent)
  expect(first).not.toBe(second)
  expect(third).toBeInstanceOf(SubmissionFailed)
  expect(third).not.toBeInstanceOf(SubmissionUnsent)
})

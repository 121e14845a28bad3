import { expect, test } from 'vitest'
import { createPriorityMutex } from './priority-mutex.ts'

test('runs one image task at a time, and starts uploads before background work', async () => {
  const { soon, later, hasHung } = createPriorityMutex()
  const order: string[] = []
  const task = (name: string) => async () => {
    order.push(`${name} starts`)
    await Promise.resolve()
    order.push(`${name} ends`)
  }
  await Promise.all([later(task('first')), later(task('second')), soon(task('upload'))])
  expect(order).toEqual(['first', 'upload', 'second'].flatMap((name) => [`${name} starts`, `${name} ends`]))
  expect(hasHung()).toBe(false)
})

test('a task that never ends fails after a timeout, and then the next waiting task runs', async () => {
  const { soon, hasHung } = createPriorityMutex(1)
  const hanging = soon(() => new Promise<never>(() => {}))
  const next = soon(async () => 'done')
  await expect(hanging).rejects.toThrow('did not end within 1 ms')
  expect(await next).toBe('done')
  expect(hasHung()).toBe(true)
})

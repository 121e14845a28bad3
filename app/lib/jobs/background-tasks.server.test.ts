import { expect, test } from 'vitest'
import { createBackgroundTasks } from './background-tasks.server.ts'

function open() {
  const logged: unknown[][] = []
  return {
    logged,
    ...createBackgroundTasks({ log: { error: (...line) => void logged.push(line) } }),
  }
}

test('logs the error of a failed background task with the message of this task', async () => {
  const { begin, settled, logged } = open()
  const error = new Error('no')
  begin('the email failed', () => Promise.reject(error))
  await settled()
  expect(logged).toEqual([['the email failed', error]])
})

test('refuses new background tasks as long as too many background tasks are hanging', async () => {
  const { begin, settled } = open()
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const ask = () =>
    begin('failed', () => {
      begun += 1
      return gate.promise
    })
  while (ask()) expect(begun).toBeLessThan(1000)
  const most = begun
  expect(ask()).toBe(false)
  expect(begun).toEqual(most)
  gate.resolve()
  await settled()
  expect(ask()).toBe(true)
  expect(begun).toEqual(most + 1)
})

import { expect, test } from 'vitest'
import { openBehind } from './behind.server.ts'

function open(ofClose?: number) {
  const logged: unknown[][] = []
  return { logged, ...openBehind({ log: { error: (...line) => void logged.push(line) }, ...(ofClose !== undefined && { ofClose }) }) }
}

test('who begins work does not wait for it; settled is when all is done, what was begun meanwhile too', async () => {
  const { begin, settled, logged } = open()
  await settled()
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  begin('the first failed', async () => {
    await first.promise
    done.push('first')
    begin('the second failed', async () => {
      await null
      done.push('second')
    })
  })
  const all = settled().then(() => done.push('settled'))
  expect(done).toEqual([])
  first.resolve()
  await all
  expect(done).toEqual(['first', 'second', 'settled'])
  expect(logged).toEqual([])
})

test('what fails is told in the log by its name, and keeps nobody', async () => {
  const { begin, settled, logged } = open()
  const error = new Error('no')
  begin('the letter failed', () => Promise.reject(error))
  await settled()
  expect(logged).toEqual([['the letter failed', error]])
})

test('whoever closes waits for what is under way, and for a moment only where it hangs', async () => {
  const well = open()
  let isDone = false
  well.begin('failed', async () => {
    await new Promise(setImmediate)
    isDone = true
  })
  await well.close()
  expect(isDone).toBe(true)
  const hanging = open(1)
  hanging.begin('failed', () => new Promise(() => {}))
  await hanging.close()
  expect(hanging.logged).toEqual([])
})

test('work that hangs does not pile up: what is too much is not begun, and its asker knows', async () => {
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
  expect([ask(), begun]).toEqual([false, most])
  gate.resolve()
  await settled()
  expect([ask(), begun]).toEqual([true, most + 1])
})

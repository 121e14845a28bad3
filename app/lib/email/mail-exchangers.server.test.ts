import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readMailExchangers } from './mail-exchangers.server.ts'

async function openDns(answer: (query: Buffer) => Buffer | null) {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.on('message', (query, { port, address }) => {
    const response = answer(query)
    if (response) socket.send(response, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { socket, servers: [`127.0.0.1:${socket.address().port}`] }
}

const encodeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

function encodeRecord(priority: number, exchange: string) {
  const name = encodeName(exchange)
  // The name of the question, type MX, class IN, valid for 60 seconds
  const head = Buffer.from([0xc0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, name.length + 2, 0, priority])
  return Buffer.concat([head, name])
}

function answerWith(query: Buffer, ...records: Buffer[]) {
  const endOfQuestion = query.indexOf(0, 12) + 5
  const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
  return Buffer.concat([head, query.subarray(12, endOfQuestion), ...records])
}

test('the mail exchangers of a domain come in the order of their priority [OWN-151]', async () => {
  const questions: Buffer[] = []
  const { servers } = await openDns((query) => {
    questions.push(query)
    return answerWith(query, encodeRecord(20, 'b.mail.test'), encodeRecord(10, 'a.mail.test'))
  })
  expect(await readMailExchangers('müller.test', servers)).toEqual(['a.mail.test', 'b.mail.test'])
  expect(questions[0]!.includes(encodeName('xn--mller-kva.test'))).toBe(true)
})

test('a domain without mail exchangers, and a DNS server that does not answer within three seconds, count as unknown [OWN-151]', async () => {
  const empty = await openDns((query) => answerWith(query))
  expect(await readMailExchangers('knots.test', empty.servers)).toEqual([])

  const silent = await openDns(() => null)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reading = readMailExchangers('knots.test', silent.servers)
  await once(silent.socket, 'message')
  vi.advanceTimersByTime(3000)
  expect(await reading).toEqual([])
})

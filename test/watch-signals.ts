/** On PostgreSQL: whoever hears of what a test does must hear of it by the database itself, or other processes would not know it (043). */
import pg from 'pg'
import { expect } from 'vitest'
import { CHANNEL } from '#db/migrations/030-signals.ts'
import { isPublic, type Live, type Topic } from '#app/platform/live.server.ts'
import type { AtTheEnd } from './open-process.ts'

/** Everybody, by topic · the owner, who hears all · one person · a session */
const audienceOf = (topic: string) =>
  isPublic(topic as Topic) ? topic : topic.includes(':') || topic === '*' ? topic.replace(/^(order|user):/, '') : 'the owner'

export async function watchSignals(url: string, live: Live, atTheEnd: AtTheEnd): Promise<void> {
  const said = new Set<string>()
  const told = new Set<string>()
  let isAnnounced = false
  live.onChange((topics) => topics.forEach((topic) => isAnnounced || said.add(audienceOf(topic))))
  const { announce } = live
  live.announce = (...topics) => {
    isAnnounced = true
    announce(...topics)
    isAnnounced = false
  }
  live.onSessionEnd((id) => said.add(`end:${id}`))
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  client.on('notification', ({ payload }) => {
    for (const topic of (JSON.parse(payload!) as string[]).slice(1)) told.add(audienceOf(topic)).add('the owner')
  })
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  atTheEnd(async () => {
    await client.query('select 1')
    await client.end()
    const isAll = told.has(audienceOf('*'))
    expect(isAll ? [] : [...said].filter((audience) => !told.has(audience)), 'signalled, and not told by the database').toEqual([])
  })
}

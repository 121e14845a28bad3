import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { PAGE } from './conversations.server.ts'

/** The log of a page and what is in it; `html` in other places is not looked at. */
const logOf = (html: string) => /<div[^>]*role="log".*?<\/ol>/s.exec(html)?.[0] ?? ''
const linesOf = (html: string) =>
  logOf(html)
    .split('<li')
    .slice(1)
    .map((line) => (/data-sender="(\w+)"/.exec(line)?.[1] ?? '-') + ' ' + textOf(line))
const textOf = (html: string) =>
  html
    .replace(/^[^>]*>/, '')
    .replace(/aria-label="(Read|Sent)"[^>]*>/g, '>($1)')
    .replace(/<[^>]+>/g, '')

async function openShopWithAnn(timeZone = 'America/New_York') {
  const shop = await openTestShop({ now: Date.UTC(2026, 2, 5, 4, 59), timeZone })
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  return {
    shop,
    ann,
    owner,
    say: (message: string) => ann.act('/messages', { intent: 'send', message }),
    reply: (message: string) => owner.act(`/manage/messages/${ann.id}`, { intent: 'send', message }),
    panel: (search = '') => ann.page(`/about?messages=${search}`),
    view: (search = '') => owner.page(`/manage/messages/${ann.id}${search}`),
  }
}

test('S-108 S-167 each day has its date in the shop’s time zone, each message its time, each own one whether it was read', async () => {
  const { shop, ann, say, reply, panel, view } = await openShopWithAnn()
  await say('late')
  shop.clock.now += 60_000
  await say('past midnight')
  expect(linesOf(await panel())).toEqual([
    '- March 04, 2026',
    'own You: late11:59 PM(Sent)',
    '- March 05, 2026',
    'own You: past midnight12:00 AM(Sent)',
  ])

  await reply('one')
  await reply('two')
  await ann.act('/messages', { intent: 'read', seq: '3' })

  expect(linesOf(await panel()).slice(4)).toEqual(['other Owner: one12:00 AM', '- New', 'other Owner: two12:00 AM'])
  expect(linesOf(await view())).toEqual([
    '- March 04, 2026',
    '- New',
    'other ann: late11:59 PM',
    '- March 05, 2026',
    'other ann: past midnight12:00 AM',
    'own You: one12:00 AM(Read)',
    'own You: two12:00 AM(Sent)',
  ])
})

test('S-167 what the other side has marked or answered is read, what came later is not', async () => {
  const { shop, ann, owner, say, reply, panel } = await openShopWithAnn()
  for (const text of ['one', 'two']) await say(text)
  const marks = async () => linesOf(await panel()).flatMap((line) => (line.startsWith('own') ? (line.match(/Read|Sent/) ?? []) : []))

  await owner.act(`/manage/messages/${ann.id}`, { intent: 'read', seq: '1' })
  expect(await marks()).toEqual(['Read', 'Sent'])
  await reply('an answer')
  await say('three')
  expect(await marks()).toEqual(['Read', 'Read', 'Sent'])
  expect((await shop.db.selectFrom('readMarks').selectAll().execute()).map(({ seq }) => seq)).toEqual([1])
})

test('S-165 links in a message can be followed, and nothing else that is written in it', async () => {
  const { say, panel, view } = await openShopWithAnn()
  await say('See https://example.com/?a=1&b="><img src=x onerror=alert(1)> or javascript:alert(1), or ann@mail.test')

  for (const log of [logOf(await panel()), logOf(await view())]) {
    expect(log.match(/<a [^>]*>.*?<\/a>/g)).toEqual([
      expect.stringMatching(/href="https:\/\/example\.com\/\?a=1&amp;b="[^>]*>https:\/\/example\.com\/\?a=1&amp;b=<\/a>$/),
      expect.stringMatching(/href="mailto:ann@mail\.test"[^>]*>ann@mail\.test<\/a>$/),
    ])
    expect(log.match(/rel="noopener noreferrer nofollow ugc"/g)).toHaveLength(2)
    expect(log).toContain('&lt;img src=x onerror=alert(1)&gt; or javascript:alert(1), or ')
    expect(log).not.toContain('<img')
  }
})

test('S-164 without script earlier messages are a page of their own, and a link leads back to the newest', async () => {
  const { shop, ann, say, panel, view } = await openShopWithAnn()
  const count = 2 * PAGE + 3
  await say('text 1.')
  const rows = Array.from({ length: count - 1 }, (_, i) => ({
    ...{ orderId: ann.id, sender: ann.id, createdAt: 1 },
    ...{ seq: i + 2, id: `id${i + 2}`, message: `text ${i + 2}.` },
  }))
  await shop.db.insertInto('messages').values(rows).execute()
  await shop.db.updateTable('orders').set({ lastSeq: count }).execute()

  for (const page of [panel, (search?: string) => view(search?.replace('&', '?'))]) {
    const newest = await page()
    expect(newest).toMatch(/<a[^>]*href="[^"]*before=54"[^>]*>Earlier messages<\/a>/)
    expect([newest.includes('Newest messages'), newest.includes('name="message"')]).toEqual([false, true])

    const earlier = await page('&before=54')
    expect([earlier.includes('text 53.'), earlier.includes('text 54.'), earlier.includes('text 4.')]).toEqual([true, false, true])
    expect(earlier).toMatch(/<a[^>]*href="[^"]*before=4"[^>]*>Earlier messages<\/a>/)
    expect(earlier).toMatch(/<a[^>]*href="\/[^"]*"[^>]*>.*Newest messages<\/a>/)
    // Where the newest is not in sight nobody writes: it would not be seen.
    expect(earlier).not.toContain('name="message"')

    const first = await page('&before=4')
    expect([first.includes('text 1.'), first.includes('Earlier messages')]).toEqual([true, false])
  }
  expect(await panel('&before=54')).toMatch(/<a[^>]*href="\/about\/?\?messages=?"[^>]*>.*Newest messages<\/a>/)
  expect(await panel('&before=54')).toMatch(
    /<a[^>]*aria-label="Close messages"[^>]*href="\/about\/?"|href="\/about\/?"[^>]*aria-label="Close messages"/,
  )
})

import { expect, test } from 'vitest'
import { errorsOf, optionsOf, pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { readMessagingSettings } from '#settings/settings.server.ts'
import { fillReply, insertReply } from '../list/conversation-view.tsx'
import { listReplies, MAX_REPLY_LENGTH, MAX_REPLY_TITLE_LENGTH } from './replies.actions.server.ts'

async function openShopWithOwner() {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const act = (form: Record<string, string>) => owner.act('/manage/replies/', form)
  const add = (title: string, text: string) => act({ intent: 'add', title, text })
  return { shop, owner, act, add }
}

test('the owner can add, change and delete saved replies, and the audit log records each change [S-184]', async () => {
  const { shop, owner, act, add } = await openShopWithOwner()
  expect((await add('  Shipping ', 'Every Friday.')).text).toContain('Reply saved')
  await add('Care', 'Keep it dry.')
  await add('care 10', 'x')
  await add('care 9', 'x')
  const all = await listReplies(shop.db)
  expect(all.map(({ title }) => title)).toEqual(['Care', 'care 9', 'care 10', 'Shipping'])
  const { id } = all[3]!

  shop.changedTopics.length = 0
  expect((await act({ intent: 'change', id, title: 'Post', text: 'On Fridays.' })).text).toContain(
    'Reply changed',
  )
  expect(shop.changedTopics).toContain('orders')
  const page = pageOf(await owner.page('/manage/replies/'))
  const form = page.getByDisplayValue('Post').closest('form')!
  expect(form.contains(page.getByDisplayValue('On Fridays.'))).toBe(true)
  expect((await act({ intent: 'delete', id })).status).toBe(400)
  expect((await act({ intent: 'delete', id, confirm: 'Yes' })).text).toContain('Reply deleted')
  expect((await act({ intent: 'delete', confirm: 'Yes', id })).status).toBe(404)
  expect((await act({ intent: 'change', title: 'x', text: 'x', id })).status).toBe(404)

  expect((await listReplies(shop.db)).map(({ title }) => title)).not.toContain('Post')
  const history = wordsOf(await owner.page('/manage/history/'))
  for (const sentence of [
    'Added the saved reply “Shipping”',
    'Changed the saved reply “Post”',
    'Deleted the saved reply “Post”',
  ]) {
    expect(history).toContain(sentence)
  }
})

test('the shop stores each line break of a saved reply or an away message as “\\n”, even if the form sent “\\r\\n” [S-184]', async () => {
  const { shop, act, add } = await openShopWithOwner()
  await add('Care', 'Dry.\r\nAlways.')
  await act({ intent: 'away', awayFrom: '', awayUntil: '', awayText: 'At a fair.\r\nBack soon.' })
  expect((await listReplies(shop.db))[0]!.text).toBe('Dry.\nAlways.')
  expect((await readMessagingSettings(shop.db)).awayText).toBe('At a fair.\nBack soon.')
})

test('the shop refuses a reply whose name or text is missing or too long, and the form keeps what was typed [S-184]', async () => {
  const { shop, owner, act, add } = await openShopWithOwner()
  await add('Care', 'Keep it dry.')
  const { id } = (await listReplies(shop.db))[0]!
  for (const [form, text] of [
    [{ intent: 'add', title: ' ', text: 'x' }, 'Please give the reply a name'],
    [
      { intent: 'add', title: 'x'.repeat(MAX_REPLY_TITLE_LENGTH + 1), text: 'x' },
      'under 60 characters',
    ],
    [{ intent: 'change', id, title: 'Care', text: '' }, 'Please write the reply'],
    [
      { intent: 'change', id, title: 'Care', text: 'x'.repeat(MAX_REPLY_LENGTH + 1) },
      'under 5,000 characters',
    ],
  ] as const) {
    expect(await act(form)).toEqual({ status: 422, text: expect.stringContaining(text) })
  }
  expect((await act({ intent: 'burn' })).status).toBe(400)

  const response = await owner.post('/manage/replies/', {
    intent: 'change',
    id,
    title: '<Care>',
    text: '',
    back: '/manage/replies/',
  })
  const page = pageOf(await response.text())
  expect(response.status).toBe(422)
  expect(page.getByDisplayValue('<Care>').closest('details')!.open).toBe(true)
  expect(errorsOf(page)).toEqual({ Reply: 'Please write the reply' })
  expect(await listReplies(shop.db)).toMatchObject([{ title: 'Care', text: 'Keep it dry.' }])

  const added = await owner.post('/manage/replies/', {
    intent: 'add',
    title: 'New',
    text: 'x',
    back: '/manage/replies/',
  })
  expect(added.status).toBe(303)
  expect(added.headers.get('location')).toBe('/manage/replies/')
  expect(await owner.page('/manage/replies/')).toContain('Reply saved')
})

test('the forms of saved replies and the away message show all errors next to their fields, and keep what was typed [OWN-122]', async () => {
  const { owner } = await openShopWithOwner()
  const send = async (form: Record<string, string>) =>
    pageOf(await (await owner.post('/manage/replies/', form)).text())
  expect(errorsOf(await send({ intent: 'add', title: '', text: ' ' }))).toEqual({
    Name: 'Please give the reply a name',
    Reply: 'Please write the reply',
  })
  const away = {
    intent: 'away',
    awayFrom: '2026-03-06',
    awayUntil: '2026-03-04',
    awayText: 'x'.repeat(501),
  }
  const page = await send(away)
  expect(errorsOf(page)).toEqual({
    'Last day': expect.stringContaining('The last day is before the first'),
    'Away message': expect.stringContaining('under 500 characters'),
  })
  expect(page.getByLabelText('First day').getAttribute('value')).toBe('2026-03-06')
  expect(Object.keys(errorsOf(await send({ ...away, awayFrom: 'soon' })))).toEqual([
    'First day',
    'Away message',
  ])
})

test('in a saved reply, {name} becomes the customer’s first name, or disappears if the customer has no name [S-184, OWN-72]', () => {
  expect(fillReply('Hello {name}, {NAME}!', 'Clara Whitfield')).toBe('Hello Clara, Clara!')
  expect(
    ['Hello {name}, welcome', 'Thank you, {name}!', '{name}, your piece is ready.'].map((text) =>
      fillReply(text, ''),
    ),
  ).toEqual(['Hello, welcome', 'Thank you!', 'Your piece is ready.'])
  expect(fillReply('{name}', '$& $1')).toBe('$&')
})

test('a saved reply is inserted on a separate line [S-184]', () => {
  expect(insertReply('', 'Hello', '')).toEqual({ text: 'Hello', cursor: 5 })
  expect(insertReply('Dear Ann,', 'Hello', 'Bye')).toEqual({
    text: 'Dear Ann,\nHello\nBye',
    cursor: 15,
  })
  expect(insertReply('Dear Ann, ', 'Hello', '\nBye')).toEqual({
    text: 'Dear Ann, Hello\nBye',
    cursor: 15,
  })
})

test('the shop stores the reminder time that the owner has chosen, and refuses times that are not in the list [S-180, S-183]', async () => {
  const { shop, owner, act } = await openShopWithOwner()
  const readSelected = async () =>
    optionsOf(pageOf(await owner.page('/manage/replies/')), 'Send an email').selected
  expect(await readSelected()).toBe('After 15 minutes')
  expect((await act({ intent: 'reminders', reminderMinutes: '60' })).text).toContain(
    'Settings saved',
  )
  expect(await readSelected()).toBe('After an hour')
  for (const reminderMinutes of ['7', '-5', 'abc', '1e9']) {
    expect((await act({ intent: 'reminders', reminderMinutes })).status).toBe(422)
  }
  expect(await shop.db.selectFrom('settings').select(['key', 'value']).execute()).toEqual([
    { key: 'reminderMinutes', value: '60' },
  ])
  expect(await owner.page('/manage/history/')).toContain('Changed the settings')
})

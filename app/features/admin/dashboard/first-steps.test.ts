import { expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import { backUp } from '#backups/backups.server.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { defaultSettings as texts } from '#settings/setting-declarations.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { addCategory, addColor, addItem, addImage } from '#test/fixtures/catalog.ts'
import { openTotpApp, turnOnSecondFactor } from '#test/fixtures/accounts.ts'
import { openTestShop, OWNER } from '#test/fixtures/test-shop.ts'
import { readFirstSteps } from './first-steps.server.ts'

test('the owner of a new shop starts on the dashboard, which shows the list "Make it yours" until all steps are done [OWN-115, LOGIN-63]', async () => {
  const shop = await openTestShop({ hasMailServer: false })
  const owner = shop.visitor()
  expect((await owner.post('/login/', { intent: 'login', ...OWNER })).headers.get('location')).toBe(
    '/manage/',
  )
  const done = async () =>
    (await readFirstSteps(shop.shop))?.filter(({ isDone }) => isDone).map(({ step }) => step)
  if (shop.dialect === 'sqlite') await backUp(shop.shop, 'nightly')
  expect(await done()).toEqual(shop.dialect === 'sqlite' ? [] : ['backup'])
  expect(await owner.page('/manage/')).toContain('Make it yours')

  await saveSettings(shop.db, { depositPercent: '30' }, shop.now())
  expect(await done()).not.toContain('payment')
  await saveSettings(
    shop.db,
    { ownerName: 'Ida', phone: '1', terms: 'Mine', timeZone: 'Europe/Lisbon', payPal: 'ida' },
    shop.now(),
  )
  await addCategory(shop.db, 'bags')
  await shop.db
    .updateTable('categories')
    .set({ imageId: await addImage(shop.db, 'bag') })
    .execute()
  await addColor(shop.db, 'sage')
  await addItem(shop.db, 'tote', 'bags')
  expect(await done()).toEqual(
    expect.arrayContaining([
      'name',
      'region',
      'contact',
      'texts',
      'categories',
      'colors',
      'piece',
      'payment',
    ]),
  )
  expect(await owner.page('/manage/')).toContain('Make it yours')

  if (shop.dialect === 'sqlite') await backUp(shop.shop, 'by-hand')
  shop.outbox.canSend = async () => true
  expect(await done()).not.toContain('recovery')
  const recoveryCodes = await turnOnSecondFactor(owner, openTotpApp(), OWNER.password)
  expect(await readFirstSteps(shop.shop)).toBe(null)
  expect(await owner.page('/manage/')).not.toContain('Make it yours')
  await owner.post('/logout', {})
  await owner.post('/login/', { intent: 'login', ...OWNER })
  const login = await owner.post('/login/code/', { code: recoveryCodes[0]! })
  expect(login.headers.get('location')).toBe('/')
})

test('the step for pictures of categories is done when all categories with pieces have a picture [OWN-115]', async () => {
  const shop = await openTestShop()
  const isDone = async () =>
    (await readFirstSteps(shop.shop))!.some(
      ({ step, isDone: done }) => step === 'categories' && done,
    )
  await addCategory(shop.db, 'bags')
  await addItem(shop.db, 'tote', 'bags')
  const setImage = async (id: string) =>
    shop.db
      .updateTable('categories')
      .set({ imageId: await addImage(shop.db, `picture-${id}`) })
      .where('id', '=', id)
      .execute()
  await setImage('bags')
  expect(await isDone()).toBe(true)
  await addCategory(shop.db, 'walls')
  expect(await isDone()).toBe(true)
  await addItem(shop.db, 'moon', 'walls')
  expect(await isDone()).toBe(false)
  await setImage('walls')
  expect(await isDone()).toBe(true)
})

test('the list of first steps includes the time zone and the colors, and the owner can hide the list [OWN-123]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const readSteps = async () => {
    const page = pageOf(await owner.page('/manage/'))
    return within(page.getByRole('region', { name: 'Make it yours' }))
      .getAllByRole('listitem')
      .map((step) => `${step.firstElementChild!.getAttribute('href')} ${step.textContent}`)
  }
  const steps = await readSteps()
  const colors = steps.indexOf('/manage/colors/ Add your colors')
  expect(colors).toBeGreaterThan(-1)
  expect(steps.indexOf('/manage/item/ Add your first piece')).toBeGreaterThan(colors)
  await addColor(shop.db, 'sage')
  await saveSettings(shop.db, { timeZone: 'Europe/Lisbon' }, shop.now())
  expect(await readSteps()).toEqual(
    expect.arrayContaining([
      '/manage/colors/ Add your colors (done)',
      '/manage/settings/#region Choose your currency and time zone (done)',
    ]),
  )
  expect(
    (
      await owner.post('/manage/?index', { intent: 'hide-first-steps', back: '/manage/' })
    ).headers.get('location'),
  ).toBe('/manage/')
  expect(await owner.page('/manage/')).not.toContain('Make it yours')
})

test('a change of the owner’s name in the settings changes the name in her account, and vice versa [OWN-116]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const nameOf = () =>
    shop.db.selectFrom('user').select('name').where('id', '=', OWNER_ID).executeTakeFirstOrThrow()
  await owner.act('/manage/settings/', { ...texts, ownerName: 'Ida Knott' })
  expect(await nameOf()).toEqual({ name: 'Ida Knott' })
  await owner.act('/account/name', { name: 'Ida K.' })
  const settings = pageOf(await owner.page('/manage/settings/'))
  expect(settings.getByDisplayValue('Ida K.').getAttribute('name')).toBe('ownerName')
})

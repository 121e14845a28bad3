import { expect, test } from 'vitest'
import { pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { aboutPageTexts } from './about.server.ts'

const path = '/manage/about/'
const sent = { intent: 'save', ...aboutPageTexts.defaults }

test('when the owner changes the title, text and description of a slide, visitors see the new texts [OWN-11]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await shop.visitor().page('/about/')
  const changed = {
    ...sent,
    aboutIntro: 'Hello',
    slideTitle2: '<i>Mine</i>',
    slideText2: 'A text',
    slideAlt2: 'A window',
  }
  expect((await owner.act(path, changed)).status).toBe(200)
  const main = within(pageOf(await shop.visitor().page('/about/')).getByRole('main'))
  expect(main.getByText('Hello')).toBeTruthy()
  const slide = within(main.getAllByRole('group')[1]!)
  expect(slide.getByRole('img', { name: 'A window' })).toBeTruthy()
  expect(slide.getByRole('heading', { name: '<i>Mine</i>' })).toBeTruthy()
  expect(slide.getByText('A text')).toBeTruthy()
  expect(pageOf(await owner.page(path)).getByDisplayValue('A window')).toBeTruthy()
})

test('saving or previewing the About page shows an error next to each text that is empty or too long [OWN-15, OWN-16]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const wrong = { ...sent, slideTitle1: ' ', slideText5: 'x'.repeat(601), slideAlt3: '' }
  const refused = await owner.post(path, wrong)
  expect(refused.status).toBe(422)
  const page = pageOf(await refused.text())
  const errors = page.getAllByRole('alert').filter(({ textContent }) => textContent !== '')
  expect(errors.map(({ id, textContent }) => [id, textContent])).toEqual([
    ['slideTitle1-error', 'Please fill in this field'],
    ['slideAlt3-error', expect.any(String)],
    ['slideText5-error', expect.stringContaining('Please write at most 600 characters')],
  ])
  const refusedPreview = await owner.post('/manage/about/preview', wrong)
  expect(refusedPreview.status).toBe(422)
  expect(wordsOf(await refusedPreview.text())).toContain('Slide 1: Title: Please fill in')
  const preview = await owner.post('/manage/about/preview', {
    ...sent,
    slideTitle4: 'Only a preview',
  })
  expect(wordsOf(await preview.text())).toMatch(/Nothing has been saved.*Only a preview/)
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})

/** Checks and saves the texts that the owner types for the Home and About pages. She may type markup, because React escapes it. */
import { z, type ZodType } from 'zod'
import { formText, validateForm } from '#app/lib/http/form-data.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { pageTexts, type PageTextsResult } from './page-texts.ts'
import { changeSettingGroup } from './settings.server.ts'
import { isOwnPath } from '#app/lib/http/own-path.ts'
import { settingsErrorTexts as texts, settingsTexts } from './texts.ts'

export const shopText = (max: number) =>
  z.string().trim().min(1, texts.empty).max(max, texts.longText(max))

function isLink(typed: string): boolean {
  if (typed.startsWith('/')) return isOwnPath(typed)
  const url = URL.parse(typed)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

/** Accepts a path of the shop, an https URL, or an empty text. [OWN-13] */
export const shopLink = z
  .string()
  .trim()
  .max(500, texts.longText(500))
  .refine((typed) => typed === '' || isLink(typed), texts.noLink)
export const requiredLink = shopLink.min(1, texts.empty)

type Typed = Record<string, string | boolean>

/** Reads the settings from the form. A setting whose default is a boolean has a checkbox, and every other setting has a text field. */
const readTyped = (form: FormData, defaults: object): Typed =>
  Object.fromEntries(
    // Browsers send every line break as \r\n, but the shop stores line breaks as \n.
    Object.entries(defaults).map(([key, value]) => [
      key,
      typeof value === 'boolean' ? form.has(key) : formText(form, key).replaceAll('\r\n', '\n'),
    ]),
  )

export function checkPageTexts<Group extends object>(
  form: FormData,
  defaults: Group,
  schema: ZodType<Group>,
) {
  const typed = readTyped(form, defaults)
  return { ...validateForm(schema, typed), typed }
}

export async function savePageTexts<Group extends object>(
  app: AppServices,
  actor: string,
  form: FormData,
  defaults: Group,
  schema: ZodType<Group>,
): Promise<ActionOutcome<PageTextsResult>> {
  const checked = checkPageTexts(form, defaults, schema)
  if (!checked.ok) {
    const count = Object.keys(checked.errors).length
    return refused(422, {
      ...checked,
      toasts: [count > 1 ? settingsTexts.errorCount(count) : checked.error],
    })
  }
  await changeSettingGroup(app, actor, defaults, checked.data)
  return done(pageTexts.saved)
}

import { z, type ZodType } from 'zod'
import { formText, validateForm } from '#lib/http/form-data.server.ts'
import type { AppServices } from '#services/context.ts'
import { type ActionOutcome, type ActionResult, done, refused } from '#ui/action-result.ts'
import type { Db } from '#db/schema.ts'
import type { SettingInput } from './setting-inputs.tsx'
import { changeSettingGroup, readSettingGroup } from './settings.server.ts'
import { isOwnPath } from '#lib/http/own-path.ts'
import { pageTexts, settingsErrorTexts as texts, settingsTexts } from './texts.ts'

export type PageTextsResult = ActionResult & { typed?: Record<string, string | boolean> }

export type PageTextInput = Omit<SettingInput, 'key'> & { key: string; value: string }

export type PageTextSection = { id: string; title: string; inputs: PageTextInput[] }

export const shopText = (max: number) =>
  z.string().trim().min(1, texts.empty).max(max, texts.longText(max))

function isLink(typed: string) {
  if (typed.startsWith('/')) return isOwnPath(typed)
  const url = URL.parse(typed)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

export const shopLink = z
  .string()
  .trim()
  .max(500, texts.longText(500))
  .refine((typed) => typed === '' || isLink(typed), texts.noLink)
export const requiredLink = shopLink.min(1, texts.empty)

type TextValue = string | boolean | string[]

type Declaration<Section extends string, Value> = Pick<PageTextInput, 'label' | 'hint' | 'rows'> & {
  section: Section
  default: NoInfer<Value>
  schema: ZodType<Value>
}

type TypedSettings<Values extends object> = { defaults: Values; schema: ZodType<Values> }

type PageTexts<Values extends object> = TypedSettings<Values> & {
  labels: Record<string, string>
  sections: readonly { id: string; title: string; inputs: Omit<PageTextInput, 'value'>[] }[]
}

export function declarePageTexts<Section extends string, Values extends Record<string, TextValue>>(
  titles: Record<Section, string>,
  declarations: { [Key in keyof Values]: Declaration<Section, Values[Key]> },
): PageTexts<Values> {
  const entries: [string, Declaration<Section, TextValue>][] = Object.entries(declarations)
  const collect = (read: (declaration: Declaration<Section, TextValue>) => unknown) =>
    Object.fromEntries(entries.map(([key, declaration]) => [key, read(declaration)]))
  const isShared = (label: string) =>
    entries.filter(([, declaration]) => declaration.label === label).length > 1
  return {
    defaults: collect((text) => text.default) as Values,
    schema: z.object(collect((text) => text.schema) as z.ZodRawShape) as unknown as ZodType<Values>,
    labels: collect(({ label, section }) =>
      isShared(label) ? `${titles[section]}: ${label}` : label,
    ) as Record<string, string>,
    sections: Object.entries<string>(titles).map(([id, title]) => ({
      id,
      title,
      inputs: entries
        .filter(([, { section }]) => section === id)
        .map(([key, { section: _section, default: initial, schema: _schema, ...input }]) => ({
          key,
          ...input,
          ...(typeof initial === 'boolean' && { type: 'checkbox' as const }),
        })),
    })),
  }
}

export const readPageTexts = <Values extends object>(db: Db, page: PageTexts<Values>) =>
  readSettingGroup(db, page.defaults)

export async function readPageTextSections<Values extends object>(
  db: Db,
  page: PageTexts<Values>,
): Promise<PageTextSection[]> {
  const values = new Map<string, unknown>(Object.entries(await readPageTexts(db, page)))
  return page.sections.map((section) => ({
    ...section,
    inputs: section.inputs.map((input) => ({
      ...input,
      value: toInputValue(values.get(input.key)),
    })),
  }))
}

function toInputValue(value: unknown) {
  if (typeof value === 'boolean') return value ? 'yes' : ''
  return Array.isArray(value) ? value.join('\n') : String(value)
}

function checkPageTexts<Values extends object>(form: FormData, page: TypedSettings<Values>) {
  const typed: Record<string, string | boolean> = Object.fromEntries(
    Object.entries(page.defaults).map(([key, value]) => [
      key,
      typeof value === 'boolean' ? form.has(key) : formText(form, key).replaceAll('\r\n', '\n'),
    ]),
  )
  return { ...validateForm(page.schema, typed), typed }
}

export function previewPageTexts<Values extends object>(form: FormData, page: PageTexts<Values>) {
  const checked = checkPageTexts(form, page)
  if (checked.ok) return { ok: true as const, texts: checked.data }
  const errors = Object.entries(checked.errors).map(
    ([key, error]) => `${page.labels[key]}: ${error}`,
  )
  return { ok: false as const, errors }
}

export async function savePageTexts<Values extends object>(
  app: AppServices,
  actor: string,
  form: FormData,
  page: TypedSettings<Values>,
  savedText = pageTexts.saved,
): Promise<ActionOutcome<PageTextsResult>> {
  const checked = checkPageTexts(form, page)
  if (!checked.ok) {
    const count = Object.keys(checked.errors).length
    return refused(422, {
      ...checked,
      toasts: [count > 1 ? settingsTexts.errorCount(count) : checked.error],
    })
  }
  await changeSettingGroup(app, actor, page.defaults, checked.data)
  return done(savedText)
}

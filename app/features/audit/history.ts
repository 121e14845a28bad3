/** The owner's acts as the history shows them. */
import type { Act } from '#app/platform/acts.ts'
import { shortly } from '#app/features/discounts/discount-texts.ts'
import { formatMoney } from '#app/features/money/money.ts'
import { isDetail, isDiscount, kinds, tellings, type Detail, type Kind } from './acts.ts'

export type HistorySearch = {
  /** null: all */
  kind: Kind | null
  /** a part of the thing's name, as typed */
  name: string
  /** only acts before this one; null: from the newest on */
  before: number | null
}

/** One thing that differs, as people read it. */
export type Change = { what: string; before: string; after: string }
export type HistoryLine = { seq: number; at: number; text: string; kind: string; changes: Change[]; to: string | null; canUndo: boolean }
export type HistoryView = { search: HistorySearch; lines: HistoryLine[]; older: number | null }

export function readHistorySearch(params: URLSearchParams): HistorySearch {
  const before = params.get('before') ?? ''
  return {
    kind: (Object.keys(kinds) as Kind[]).find((known) => known === params.get('kind')) ?? null,
    name: (params.get('name') ?? '').replaceAll('\u0000', '').toWellFormed(),
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  }
}

const isAct = (act: string): act is Act => Object.hasOwn(tellings, act)
export const tellingOf = (act: string) => (isAct(act) ? tellings[act] : null)
export const actsOf = (kind: Kind): Act[] => Object.keys(tellings).filter((act): act is Act => isAct(act) && tellings[act].kind === kind)

/** An act that this version does not know, from a newer one for instance, says at least its name. */
export function sentenceOf(act: string, name: string, detail: Detail): string {
  const telling = tellingOf(act)
  if (telling) return telling.say(name || 'something without a name', detail).replace(/\s+/g, ' ')
  return `${act.charAt(0).toUpperCase()}${act.slice(1).replaceAll('-', ' ')}${name ? `: ${name}` : ''}`
}

/** What `before` and `after` of the detail say, field by field. Secrets are never written there; this is a second lock. */
export function changesOf({ before, after }: Detail): Change[] {
  if (!isDetail(after) || !isDetail(before)) return []
  return Object.keys(after)
    .filter((key) => !/password|secret|token|key$/i.test(key))
    .map((key) => ({ what: labelOf(key), before: shown(key, before[key]), after: shown(key, after[key]) }))
    .filter((change) => change.before !== change.after)
}

/** 'priceCents' → "Price", 'isPromoShown' → "Promo shown" */
const labelOf = (key: string): string => {
  const words = key
    .replace(/^is(?=[A-Z])|Cents$|Id$/g, '')
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const LONGEST = 140

function shown(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (isDiscount(value)) return shortly(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return key.endsWith('Cents') ? formatMoney(value) : String(value)
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : ''
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text || 'something else'
}

import { usualSymbol } from './shop-settings.ts'
import { settingsTexts as texts } from './texts.ts'

const currencyNames = new Intl.DisplayNames('en-US', { type: 'currency' })
export const currencyCodes = Intl.supportedValuesOf('currency')

const zoneFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })

export function parseTimeZone(name: string) {
  if (name === '') return ''
  try {
    return /^[a-z]/i.test(name) ? zoneFormat(name).resolvedOptions().timeZone : null
  } catch {
    return null
  }
}

type Choice = { value: string; label: string }
type Country = Intl.Locale & { getTimeZones(): string[] | undefined }
const byLabel = (left: Choice, right: Choice) => left.label.localeCompare(right.label)

function listTimeZones() {
  const countryNames = new Intl.DisplayNames('en-US', { type: 'region' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const countries = letters.flatMap((first) =>
    letters.map((second) => new Intl.Locale('und', { region: first + second }) as Country),
  )
  const countryOf = new Map(
    countries.flatMap((country) =>
      (country.getTimeZones() ?? []).map((zone) => [zone, countryNames.of(country.region!)!]),
    ),
  )
  const labelOf = (zone: string) => {
    const name =
      zoneFormat(zone)
        .formatToParts(Date.UTC(2026, 0))
        .find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const city = zone.split('/').at(-1)!.replaceAll('_', ' ')
    return texts.zoneChoice(countryOf.get(zone), city, name)
  }
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  return [...zones].map((value) => ({ value, label: labelOf(value) })).toSorted(byLabel)
}

let zones: Choice[] | undefined

export function regionalChoices(defaultZone: string) {
  zones ??= listTimeZones()
  const zone = zones.find(({ value }) => value === parseTimeZone(defaultZone))
  return {
    currencyCode: currencyCodes
      .map((value) => ({
        value,
        label: texts.currencyChoice(currencyNames.of(value) ?? value, usualSymbol(value)),
      }))
      .toSorted(byLabel),
    timeZone: [{ value: '', label: texts.noZoneChosen(zone?.label ?? defaultZone) }, ...zones],
  }
}

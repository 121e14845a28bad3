// Lists the requirements whose id no test title contains.

const id = /\b[A-Z]+(?:-[A-Z]+)*-\d{2,3}\b/g

export function requirementsIn(markdown) {
  return [...markdown.matchAll(/^\| *([A-Z]+(?:-[A-Z]+)*-\d{2,3}) *\|/gm)].map((match) => match[1])
}

/** Of a range of ids, only the first and the last id are returned. */
export const namedIn = (title) => title.match(id) ?? []

export const withoutComments = (text) => text.replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

export function coverage(requirements, named) {
  const areas = new Map()
  for (const row of requirements) {
    const name = row.replace(/-\d+$/, '')
    const area = areas.get(name) ?? { rows: 0, missing: [] }
    area.rows += 1
    if (!named.has(row)) area.missing.push(row)
    areas.set(name, area)
  }
  return areas
}

export function reportMissing(requirements, texts) {
  const named = new Set(texts.flatMap(namedIn))
  const areas = coverage(requirements, named)
  for (const [area, { rows, missing }] of areas) {
    if (missing.length > 0) {
      console.log(
        `${area}: ${missing.length} of ${rows}: ${missing.map((row) => row.slice(area.length + 1)).join(' ')}`,
      )
    }
  }
  const missing = [...areas.values()].reduce((sum, area) => sum + area.missing.length, 0)
  console.log(
    `${requirements.length - missing} of ${requirements.length} requirements are named by tests.`,
  )
  const unknown = [...named].filter(
    (row) => areas.has(row.replace(/-\d+$/, '')) && !requirements.includes(row),
  )
  if (unknown.length > 0) console.log(`Named, but no such row: ${unknown.join(' ')}`)
  return missing + unknown.length
}

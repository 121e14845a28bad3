export const formatCount = (count: number) => count.toLocaleString('en-US')

export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`

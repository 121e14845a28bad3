export function parsePageNumber(params: URLSearchParams) {
  const typed = params.get('page') ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(1, Number(typed)) : 1
}

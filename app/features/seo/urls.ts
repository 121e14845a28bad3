export const itemPath = (id: string) => `/item/${encodeURIComponent(id)}`
export const categoryPath = (id: string) => `/gallery/${encodeURIComponent(id)}`

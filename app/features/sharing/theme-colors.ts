/** What the browser's own frame is coloured in: the ground of each theme, as in app/ui/tokens.css. */
export const themeColors = { dark: '#1d1815', light: '#faf5ec' } as const

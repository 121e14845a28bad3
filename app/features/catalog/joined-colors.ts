const COLOR_SEPARATOR = ' + '

/** The color of several pieces, like 'Sage Green + Terracotta'. */
export const joinColors = (...colors: string[]) => colors.join(COLOR_SEPARATOR)
export const splitColors = (colors: string) => colors.split(COLOR_SEPARATOR)

/** The title and the style are HTML already. */
export const htmlStart = (title: string, style: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>
${style}
</style></head><body>`

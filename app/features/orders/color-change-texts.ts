export const colorChangeTexts = {
  change: (from: string, to: string) =>
    `This changes the color of your request from ${from} to ${to}`,
  oneOfEach: 'I want one of each',
}

export const editAboutTexts = {
  title: 'About page',
  intro:
    'Five slides about you and your work. Pictures change immediately; texts change when you save them.',
}

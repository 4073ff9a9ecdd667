export const texts = {
  empty: 'No pictures',
  emptyText: 'Pictures and videos in this folder and the folders below it appear here by month.',
  month: 'Month',
};

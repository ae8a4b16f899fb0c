import { language } from "./language";

export const chinese = language(
  "zh",
  {
    password: {
      title: "忘记密码怎么办",
      html: "<p>在登录页面点击“忘记密码”，即可重置您的密码。我们会发送一个链接，有效期为一小时。新密码至少需要十二个字符。</p>",
    },
    invoice: {
      title: "下载发票",
      html: "<p>所有发票都以PDF格式保存在“账单”页面。账户所有者每月初也会通过电子邮件收到发票。</p>",
    },
    export: {
      title: "导出数据",
      html: "<p>导出的压缩包中包含所有文章，每篇文章是一个Markdown文件。如果文件较大，准备好后我们会告诉您。</p>",
    },
    invite: {
      title: "邀请团队成员",
      html: "<p>输入新成员的邮箱地址并选择角色。邀请在七天后失效。访客只能阅读，不能修改任何内容。</p>",
    },
    quiet: {
      title: "关闭通知",
      html: "<p>您可以设置免打扰时段。在此期间，通知会被暂存，第二天早上合并成一封摘要邮件。</p>",
    },
    backup: {
      title: "数据库备份",
      html: "<p>系统每天夜里自动备份数据库，备份保留三十天。建议每月测试一次能否恢复。</p>",
    },
    key: {
      title: "更换API密钥",
      html: "<p>先创建新的密钥，在程序中替换后，再撤销旧的密钥。只读密钥无法更改任何内容。</p>",
    },
    twoFactor: {
      title: "开启两步验证",
      html: "<p>输入密码后，系统还会要求输入一次性验证码。请妥善保管备用验证码。</p>",
    },
  },
  [
    { query: "发票", finds: ["invoice"], first: true, only: true, why: "a word inside a sentence" },
    { query: "密码", finds: ["password", "twoFactor"], first: true, only: true, why: "a word, in the title first" },
    { query: "密钥", finds: ["key"], first: true, only: true, why: "not 密码, which begins with the same character" },
    { query: "验证码", finds: ["twoFactor"], first: true, only: true, why: "a word inside a sentence" },
    { query: "自动备份", finds: ["backup"], first: true, only: true, why: "two words that stand together" },
    { query: "数据", finds: ["export", "backup"], only: true, why: "a word, and the beginning of a longer one" },
    { query: "数据库", finds: ["backup"], first: true, only: true, why: "not every text with 数据" },
    { query: "票", finds: ["invoice"], first: true, only: true, why: "one character, the end of a word" },
    { query: "密", finds: ["password", "key", "twoFactor"], only: true, why: "one character, the beginning of words" },
    { query: "API密钥", finds: ["key"], first: true, only: true, why: "two scripts" },
    { query: "api 密钥", finds: ["key"], first: true, only: true, why: "two scripts and a blank" },
    { query: "ＡＰＩ密钥", finds: ["key"], first: true, only: true, why: "full-width letters" },
    { query: "PDF格式", finds: ["invoice"], first: true, only: true, why: "two scripts inside a sentence" },
    { query: "忘记密码", finds: ["password"], first: true, only: true, why: "the beginning of the title" },
    { query: "忘记密码？", finds: ["password"], first: true, only: true, why: "a full-width question mark" },
    { query: "重置密码", finds: ["password"], first: true, corrected: true, why: "the text has 您的 between" },
    { query: "邀请成员", finds: ["invite"], first: true, corrected: true, why: "the title has 团队 between" },
    { query: "邀请 成员", finds: ["invite"], first: true, only: true, why: "two words with a blank" },
    { query: "备份数据", finds: ["backup"], first: true, only: true, why: "the beginning of 备份数据库" },
    { query: "数据备份", finds: ["backup"], first: true, corrected: true, why: "the title has 库 between" },
  ],
);

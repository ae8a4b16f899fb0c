import { language } from "./language";

export const thai = language(
  "th",
  {
    password: {
      title: "รีเซ็ตรหัสผ่าน",
      html: "<p>ที่หน้าเข้าสู่ระบบ ให้กด “ลืมรหัสผ่าน” แล้วเราจะส่งลิงก์ที่ใช้ได้ภายในหนึ่งชั่วโมงไปให้ รหัสผ่านใหม่ต้องมีอย่างน้อยสิบสองตัวอักษร</p>",
    },
    invoice: {
      title: "ดาวน์โหลดใบแจ้งหนี้",
      html: "<p>ใบแจ้งหนี้ทุกฉบับอยู่ในรูปแบบ PDF ที่หน้าการชำระเงิน เจ้าของบัญชีจะได้รับทางอีเมลทุกต้นเดือนด้วย</p>",
    },
    export: {
      title: "ส่งออกข้อมูล",
      html: "<p>ไฟล์ที่ส่งออกมีบทความทั้งหมดในรูปแบบ Markdown หากไฟล์มีขนาดใหญ่ เราจะแจ้งให้ทราบเมื่อพร้อมใช้งาน</p>",
    },
    invite: {
      title: "เชิญสมาชิก",
      html: "<p>กรอกที่อยู่อีเมลของสมาชิกใหม่แล้วเลือกบทบาท คำเชิญจะหมดอายุภายในเจ็ดวัน ผู้เยี่ยมชมอ่านได้อย่างเดียวและแก้ไขไม่ได้</p>",
    },
    quiet: {
      title: "ปิดการแจ้งเตือน",
      html: "<p>กำหนดช่วงเวลาที่ไม่ต้องการให้รบกวน ในช่วงนั้นระบบจะเก็บการแจ้งเตือนไว้ และส่งสรุปให้ในเช้าวันถัดไป</p>",
    },
    backup: {
      title: "สำรองฐานข้อมูล",
      html: "<p>ระบบสำรองฐานข้อมูลทุกคืนโดยอัตโนมัติและเก็บไว้สามสิบวัน ควรทดลองกู้คืนเดือนละครั้ง</p>",
    },
    key: {
      title: "เปลี่ยนคีย์ API",
      html: "<p>สร้างคีย์ใหม่ นำไปแทนคีย์เดิมในโปรแกรม แล้วจึงยกเลิกคีย์เดิม ควรเก็บคีย์ไว้เป็นความลับ</p>",
    },
    remove: {
      title: "ลบบัญชี",
      html: "<p>เมื่อลบบัญชีแล้ว ข้อมูลทั้งหมดจะหายไปภายในสามสิบวัน ในระหว่างนั้นยังกู้คืนได้</p>",
    },
  },
  [
    { query: "รหัสผ่าน", finds: ["password"], first: true, only: true, why: "a word inside a sentence" },
    { query: "ลืมรหัสผ่าน", finds: ["password"], first: true, only: true, why: "two words that stand together" },
    { query: "ใบแจ้งหนี้", finds: ["invoice"], first: true, only: true, why: "a word at the beginning" },
    { query: "แจ้งเตือน", finds: ["quiet"], first: true, only: true, why: "the end of a longer word" },
    { query: "อีเมล", finds: ["invite", "invoice"], only: true, why: "a word inside a sentence" },
    { query: "ข้อมูล", finds: ["export", "backup", "remove"], only: true, why: "a word, and the end of a longer one" },
    { query: "ฐานข้อมูล", finds: ["backup"], first: true, only: true, why: "not every text with ข้อมูล" },
    { query: "สํารองฐานข้อมูล", finds: ["backup"], first: true, only: true, why: "ำ in two characters" },
    { query: "สำรองข้อมูล", finds: ["backup"], first: true, corrected: true, why: "the title has ฐาน between" },
    { query: "สำรอง ข้อมูล", finds: ["backup"], first: true, only: true, why: "two words with a blank" },
    { query: "สมาชิก", finds: ["invite"], first: true, only: true, why: "the end of the title" },
    { query: "กู้คืน", finds: ["backup", "remove"], only: true, why: "a word inside a sentence" },
    { query: "ลบ", finds: ["remove"], first: true, only: true, why: "not ลับ: the mark is a vowel" },
    { query: "ลบบัญชี", finds: ["remove"], first: true, only: true, why: "the title" },
    { query: "คีย์ API", finds: ["key"], first: true, only: true, why: "two scripts and a blank" },
    { query: "คีย์API", finds: ["key"], first: true, only: true, why: "two scripts without a blank" },
    { query: "API คีย์", finds: ["key"], first: true, only: true, why: "two scripts in another order" },
  ],
);
